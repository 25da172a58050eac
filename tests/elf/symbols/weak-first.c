// Of two weak definitions the first is used.
//# variant: a: a.o b.o
//# variant: b: b.o a.o
//# @a run: exit=1
//# @b run: exit=2
int f(void);
int main(void) { return f(); }
//# file: a.c
__attribute__((weak)) int f(void) { return 1; }
//# file: b.c
__attribute__((weak)) int f(void) { return 2; }
