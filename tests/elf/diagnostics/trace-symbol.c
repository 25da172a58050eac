// -y tells where a symbol is defined and referred to.
//# link: -Wl,-y,f
//# check: true
//# run
int f(void);
int main(void) { return f(); }
//# file: b.c
int f(void) { return 0; }
