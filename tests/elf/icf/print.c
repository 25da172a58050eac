// --print-icf-sections lists what was folded, leader by leader in the order of the command line;
// what garbage collection dropped before is not there.
//# peers: none
//# compile: -O2 -ffunction-sections -fno-ipa-icf -fno-ipa-cp -fno-inline
//# variant: stdout: -Wl,--gc-sections,--icf=all,--print-icf-sections
//# variant: file: -Wl,--gc-sections,--icf=all,--print-icf-sections=list
//# variant: silent: -Wl,--gc-sections,--icf=all,--print-icf-sections,--no-print-icf-sections
//# @stdout stdout: ^selected section main.o:\(.text.a\)$
//# @stdout stdout: ^  removing identical section main.o:\(.text.b\)$
//# @stdout stdout: ^  removing identical section main.o:\(.text.c\)$
//# @stdout no-stdout: dead
//# @file,silent no-stdout: section
//# @file file-matches: list ^  removing identical section main.o:\(.text.b\)$
//# run
volatile int sink;
int dead(void) { return sink; }
int a(void) { return sink; }
int b(void) { return sink; }
int c(void) { return sink; }
int main(void) { return a() + b() + c(); }
