// All undefined symbols are listed, not the first alone.
//# expect-error: missing_a
//# expect-error: missing_b
//# expect-error: missing_c
int missing_a(void), missing_b(void), missing_c(void);
int main(void) { return missing_a() + missing_b() + missing_c(); }
