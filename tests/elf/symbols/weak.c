// A strong definition wins over weak ones wherever it stands.
//# variant: last: weak.o strong.o
//# variant: first: strong.o weak.o
//# run: exit=2
int f(void);
int main(void) { return f(); }
//# file: weak.c
__attribute__((weak)) int f(void) { return 1; }
//# file: strong.c
int f(void) { return 2; }
