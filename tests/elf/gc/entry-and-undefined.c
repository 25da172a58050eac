// -e and -u are roots.
//# compile: -ffunction-sections
//# link: -Wl,--gc-sections -u kept
//# symbol: kept
//# no-symbol: dropped
int kept(void) { return 1; }
int dropped(void) { return 1; }
int main(void) { return 0; }
