// An option with a typing error.
//# peers: none
//# link: -Wl,--gc-section
//# error-text: ld: error: unknown command line option: --gc-section; did you mean --gc-sections?
int main(void) { return 0; }
