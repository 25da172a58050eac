// --print-gc-sections says what is dropped.
//# compile: -ffunction-sections
//# link: -Wl,--gc-sections,--print-gc-sections
//# check: true
//# run
int unused(void) { return 1; }
int main(void) { return 0; }
