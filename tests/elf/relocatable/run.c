// Objects joined by -r link and run like the two.
//# relocatable: both.o main.o b.o
//# link: both.o
//# compile: -g
//# run: exit=5
//# look-at: both.o
//# header: type=REL
//# symbol: f type=FUNC section=.text
//# reloc: R_X86_64_PLT32 symbol=f section=.text
int f(void);
int main(void) { return f(); }
//# file: b.c
int f(void) { return 5; }
