// An option with a typing error.
//# peers: none
//# link: -Wl,--gc-sectoins
//# error-text: ld: error: unknown command line option: --gc-sectoins; did you mean --gc-sections?
int main(void) { return 0; }
