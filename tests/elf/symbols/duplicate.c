// Two strong definitions are an error that names both places.
//# expect-error: f
//# expect-error: main\.[co]
//# expect-error: b\.[co]
int f(void) { return 1; }
int main(void) { return f(); }
//# file: b.c
int f(void) { return 2; }
