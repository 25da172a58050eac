// A dynamic list says alone what is preemptible, whatever -Bsymbolic is given besides: what is not
// listed binds to the library itself.
//# driver: gcc
//# compile: -fPIC -O1
//# variant: none:
//# variant: all: -Wl,-Bsymbolic
//# variant: functions: -Wl,-Bsymbolic-functions
//# variant: non-weak: -Wl,-Bsymbolic-non-weak
//# variant: non-weak-functions: -Wl,-Bsymbolic-non-weak-functions
//# @non-weak,non-weak-functions peers: lld
//# link: -shared main.o -Wl,--dynamic-list=list.txt
//# reloc: R_X86_64_GLOB_DAT symbol=listed_data
//# reloc: R_X86_64_JUMP_SLOT symbol=listed
//# reloc: R_X86_64_JUMP_SLOT symbol=listed_weak
//# no-reloc: symbol=other
//# no-reloc: symbol=other_data
//# no-reloc: symbol=other_weak
//# dynsym: other_data
int listed_data = 1, other_data = 1;
int listed(void) { return 1; }
int other(void) { return 1; }
__attribute__((weak)) int listed_weak(void) { return 1; }
__attribute__((weak)) int other_weak(void) { return 1; }
int ask(void) {
  return listed_data + other_data + listed() + other() + listed_weak() + other_weak();
}
//# file: list.txt
{ listed; listed_data; listed_weak; };
