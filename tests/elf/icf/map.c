// The map shows symbols of folded sections where they are, and --emit-relocs their relocations not.
//# peers: none
//# compile: -O2 -ffunction-sections -fno-ipa-icf -fno-ipa-cp -fno-inline
//# link: -Wl,--icf=all,-Map=map,--emit-relocs
//# file-matches: map ^  main.o:\(.text.second\)$
//# file-matches: map main.o:\(.text.first\)\n +[0-9a-f]+ +[0-9a-f]+ +0 +first\n +[0-9a-f]+ +[0-9a-f]+ +0 +second$
//# reloc: R_X86_64_PC32 symbol=sink count=2
//# run
volatile int sink;
int first(void) { return sink + 5; }
int second(void) { return sink + 5; }
int other(void) { return sink; }
int main(void) { return first() + second() + other() != 10; }
