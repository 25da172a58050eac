// The map shows symbols of folded sections where they are, and --emit-relocs their relocations not.
//# peers: none
//# compile: -O2 -ffunction-sections -fno-ipa-icf -fno-ipa-cp -fno-inline
//# link: -Wl,--icf=all,-Map=map,--emit-relocs
//# file-matches: map ^Discarded input sections\n(.*\n)+ \.text\.second +0x0{16} +0x[0-9a-f]+ main.o$
//# file-matches: map ^ \.text\.first +0x[0-9a-f]+ +0x[0-9a-f]+ main.o\n +(0x[0-9a-f]+) +first\n +0x[0-9a-f]+ +second$
//# reloc: R_X86_64_PC32 symbol=sink count=2
//# run
volatile int sink;
int first(void) { return sink + 5; }
int second(void) { return sink + 5; }
int other(void) { return sink; }
int main(void) { return first() + second() + other() != 10; }
