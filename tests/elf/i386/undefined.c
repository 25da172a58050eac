// A symbol that nothing defines is an error that names the function that wants it.
//# expect-error: missing
//# expect-error: main
int missing(void);
int main(void) { return missing(); }
