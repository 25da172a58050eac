// An undefined symbol is listed once, with several of its places.
//# compile: -g
//# expect-error: nowhere
//# expect-error: (?s)one.*two
int nowhere(void);
int one(void) { return nowhere(); }
int two(void) { return nowhere(); }
int three(void) { return nowhere(); }
int four(void) { return nowhere(); }
int five(void) { return nowhere(); }
int main(void) { return 0; }
