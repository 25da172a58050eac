// extern "C++" patterns match names as they were written.
//# driver: g++
//# compile: -fPIC
//# link: -shared -Wl,--version-script=v.map
//# dynsym: _ZN5space3oneEi@@V1
//# dynsym: _ZN5space5otherEv@@V1
//# dynsym: plain@@V1
//# no-dynsym: _Z3outv
namespace space {
int one(int x) { return x; }
int other() { return 1; }
}
int out() { return 1; }
extern "C" int plain() { return 1; }
//# file: v.map
V1 {
  global:
    plain;
    extern "C++" {
      "space::one(int)";
      space::oth*;
    };
  local: *;
};
