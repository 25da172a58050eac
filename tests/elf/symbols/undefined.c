// An undefined symbol is an error that says who refers to it.
//# compile: -g
//# expect-error: undefined (reference|symbol).*nowhere
//# expect-error: main\.c
//# expect-error: caller
int nowhere(void);
int caller(void) { return nowhere(); }
int main(void) { return caller(); }
