// A function that only debug information refers to is dropped.
//# compile: -g -ffunction-sections -O1
//# link: -Wl,--gc-sections
//# no-symbol: dead
//# section: .debug_info
//# run
int dead(void) { return 1; }
int main(void) { return 0; }
