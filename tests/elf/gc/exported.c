// What a library exports is a root; what is hidden is not.
//# driver: gcc
//# compile: -fPIC -ffunction-sections
//# link: -shared -Wl,--gc-sections
//# dynsym: exported
//# no-symbol: hidden
int exported(void) { return 1; }
__attribute__((visibility("hidden"))) int hidden(void) { return 1; }
