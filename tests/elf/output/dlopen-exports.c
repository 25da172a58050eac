// A program finds its own exported symbol through the loader: hash tables and versions are right.
//# link: -Wl,-E -ldl
//# run: exit=4
#include <dlfcn.h>
#include <stddef.h>
int find_me(void) { return 4; }
int main(void) {
  int (*f)(void) = (int (*)(void))dlsym(NULL, "find_me");
  return f ? f() : 1;
}
