// The address of a nested function is that of code on the stack.
//# driver: gcc
//# lint-except: executable-stack its code needs it
//# link: -Wl,-z,relro
//# segment: GNU_STACK flags=RWX
//# run: exit=42
//# peers: ld
int call(int (*f)(int)) { return f(2); }
int main(int argc, char **argv) {
  int base = 39 + argc;
  int add(int n) { return base + n; }
  return call(add);
}
