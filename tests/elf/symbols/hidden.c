// Hidden symbols are local to their module.
//# driver: gcc
//# compile: -fPIC
//# link: -shared
//# symbol: hidden bind=LOCAL
//# symbol: internal bind=LOCAL
//# no-dynsym: hidden
//# no-dynsym: internal
//# dynsym: protected vis=PROTECTED
//# dynsym: visible vis=DEFAULT
__attribute__((visibility("hidden"))) int hidden(void) { return 1; }
__attribute__((visibility("internal"))) int internal(void) { return 1; }
__attribute__((visibility("protected"))) int protected(void) { return 1; }
int visible(void) { return 1; }
