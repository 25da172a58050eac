// --dynamic-list-cpp-new and --dynamic-list-cpp-typeinfo: only these can be interposed.
//# compile: -fPIC -O0
//# variant: new: -Wl,--dynamic-list-cpp-new
//# variant: typeinfo: -Wl,--dynamic-list-cpp-typeinfo
//# link: -shared
//# @new reloc: R_X86_64_JUMP_SLOT symbol=_Znwm
//# @new no-reloc: R_X86_64_64 symbol=_ZTI1B
//# @typeinfo no-reloc: R_X86_64_JUMP_SLOT symbol=_Znwm
//# @typeinfo reloc: R_X86_64_64 symbol=_ZTI1B
//# @typeinfo reloc: R_X86_64_64 symbol=_ZTS1B
//# no-reloc: R_X86_64_JUMP_SLOT symbol=_Z1gv
//# peers: ld
#include <cstdlib>
#include <new>
struct B {
  virtual ~B();
};
B::~B() {}
void *operator new(std::size_t n) { return malloc(n); }
int g() { return 2; }
B *h() { return g() ? new B : nullptr; }
