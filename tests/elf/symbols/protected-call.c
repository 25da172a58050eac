// A protected function is called directly inside its library, whatever the program defines.
//# driver: gcc
//# shared: liba.so a.o
//# link: main.o liba.so
//# run: exit=1
int ask(void);
int f(void) { return 2; }
int main(void) { return ask(); }
//# file: a.c -fPIC
__attribute__((visibility("protected"))) int f(void) { return 1; }
int ask(void) { return f(); }
