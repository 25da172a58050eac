// --print-gc-sections says what is dropped.
//# compile: -ffunction-sections
//# link: -Wl,--gc-sections,--print-gc-sections
//# says: removing unused section.*unused
//# run
int unused(void) { return 1; }
int main(void) { return 0; }
