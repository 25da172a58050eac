// -r keeps sections with different names apart, so that --gc-sections still works.
//# relocatable: both.o main.o b.o
//# compile: -ffunction-sections
//# link: both.o -Wl,--gc-sections
//# run: exit=5
//# no-symbol: unused
int f(void);
int main(void) { return f(); }
//# file: b.c
int f(void) { return 5; }
int unused(void) { return 5; }
