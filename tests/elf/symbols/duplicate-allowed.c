// -z muldefs takes the first of them.
//# variant: muldefs: -Wl,-z,muldefs
//# variant: option: -Wl,--allow-multiple-definition
//# run: exit=1
int f(void) { return 1; }
int main(void) { return f(); }
//# file: b.c
int f(void) { return 2; }
