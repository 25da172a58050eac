// What chooses an indirect function runs before start code has set the global pointer: loaders set it
// by the symbol, which a program with fixed addresses exports, whatever a version script says. Nothing in
// a PIE counts from it.
//# variant: fixed: -no-pie
//# variant: script: -no-pie -Wl,--version-script=v.map
//# variant: pie: -pie
//# variant: kept: -no-pie -Wl,--no-relax
//# variant: static: -static
//# compile: -O1
//# run: exit=7
//# @fixed,script disasm: choose \(gp\)
//# @pie,kept no-disasm: choose \(gp\)
//# @fixed,script,kept dynsym: __global_pointer$ bind=GLOBAL
//# @pie no-dynsym: __global_pointer$
//# @static no-section: .dynsym
//# peers: ld
char before[512] = {1};
__attribute__((section(".data.near"))) volatile int near = 3;
static int chosen(void) { return 7; }
static int other(void) { return 8; }
static int (*choose(void))(void) { return near == 3 ? chosen : other; }
int indirect(void) __attribute__((ifunc("choose")));
int main(void) { return indirect(); }
//# file: v.map
{ local: *; };
