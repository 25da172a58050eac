// STB_GNU_UNIQUE is kept, and asks the loader for it by the OS ABI.
//# driver: g++
//# compile: -fPIC
//# link: -shared
//# dynsym: _ZZ1fvE1x bind=GNU_UNIQUE type=OBJECT
//# header: osabi=3
//# peers: ld
inline int &f() {
  static int x = 1;
  return x;
}
int &g() { return f(); }
