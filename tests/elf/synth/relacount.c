// DT_RELACOUNT counts the relative relocations, which stand first.
//# driver: gcc
//# compile: -fPIC
//# link: -shared -nostdlib
//# dynamic: RELACOUNT 3
//# reloc: R_X86_64_64 symbol=outer
extern int outer;
static int a;
void *table[] = {&a, &outer, &a, &a};
