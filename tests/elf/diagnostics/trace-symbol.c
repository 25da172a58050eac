// -y tells where a symbol is defined and referred to.
//# link: -Wl,-y,f
//# says: main\.o.*reference.*f
//# says: b\.o.*definition.*f
//# run
int f(void);
int main(void) { return f(); }
//# file: b.c
int f(void) { return 0; }
