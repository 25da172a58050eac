// -Bsymbolic-non-weak leaves weak definitions to be interposed.
//# driver: gcc
//# compile: -fPIC -O1
//# variant: all: -Wl,-Bsymbolic-non-weak
//# variant: functions: -Wl,-Bsymbolic-non-weak-functions
//# link: -shared
//# reloc: R_X86_64_JUMP_SLOT symbol=weak
//# no-reloc: symbol=strong
//# @all no-reloc: symbol=data
//# @functions reloc: symbol=data
//# peers: lld
int data = 1;
int strong(void) { return 1; }
__attribute__((weak)) int weak(void) { return 2; }
int ask(void) { return strong() + weak() + data; }
