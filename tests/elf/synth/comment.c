// .comment has each compiler's line once.
//# contains: .comment "GCC: (" count=1
//# section: .comment flags=MS type=PROGBITS
//# run
int f(void);
int main(void) { return f(); }
//# file: b.c
int f(void) { return 0; }
