// -r --gc-sections without a root would drop everything: an error.
//# driver: ld
//# link: -r --gc-sections
//# expect-error: gc-sections
//# peers: ld
int f(void) { return 1; }
