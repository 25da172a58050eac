// -z rewrite-endbr: landing pads of functions whose address nobody takes become nops.
//# compile: -O1 -fcf-protection -ffunction-sections
//# variant: on: -Wl,-z,rewrite-endbr
//# variant: off: -Wl,-z,norewrite-endbr
//# link: main.o other.o -Wl,-E,--version-script=v
//# run: exit=15
//# @on disasm: called nopl 0x0\(%rax\)
//# @off disasm: called endbr64
//# disasm: pointed endbr64
//# disasm: loaded endbr64
//# disasm: exported endbr64
//# disasm: main endbr64
//# peers:
int called(void), pointed(void), loaded(void), exported(void);
int (*volatile pointer)(void) = pointed;
static int call(int (*f)(void)) {
  int (*volatile g)(void) = f;
  return g();
}
int main(void) { return called() + pointer() + call(loaded) + exported(); }
//# file: other.c
int called(void) { return 1; }
int pointed(void) { return 2; }
int loaded(void) { return 4; }
int exported(void) { return 8; }
//# file: v
{ global: exported; local: *; };
