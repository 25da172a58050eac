// -z mark-plt tells where the PLT is, and relocations of its words where their entries are.
//# driver: gcc
//# compile: -fPIC
//# variant: on: -Wl,-z,mark-plt
//# variant: off: -Wl,-z,nomark-plt
//# link: -shared -Wl,-z,lazy
//# @on dynamic: 0x70000000 value=section(.plt).address
//# @on dynamic: 0x70000001 value=section(.plt).size
//# @on dynamic: 0x70000003 value=16
//# @on reloc: R_X86_64_JUMP_SLOT symbol=g addend=section(.plt).address+16
//# @off no-dynamic: 0x70000000
//# @off reloc: R_X86_64_JUMP_SLOT symbol=g addend=0
//# peers:
int g(void);
int f(void) { return g() + 1; }
