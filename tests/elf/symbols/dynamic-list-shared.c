// In a library, --dynamic-list says which definitions may be interposed.
//# driver: gcc
//# compile: -fPIC -O1
//# link: -shared -Wl,--dynamic-list=list.txt
//# reloc: R_X86_64_JUMP_SLOT symbol=listed
//# no-reloc: symbol=other
//# dynsym: other
int listed(void) { return 1; }
int other(void) { return 1; }
int ask(void) { return listed() + other(); }
//# file: list.txt
{ listed; };
