// A library that is nowhere is named.
//# link: -lno-such-library
//# expect-error: no-such-library
int main(void) { return 0; }
