// Debug information of dropped functions does not claim addresses of live ones.
//# requires: llvm-dwarfdump-19
//# compile: -g -ffunction-sections
//# link: -Wl,--gc-sections -no-pie
//# check: llvm-dwarfdump-19 --verify $OUT
//# check: llvm-dwarfdump-19 --name=dead $OUT | grep -q 'DW_AT_low_pc.*\(0x0000000000000000\|dead code\)'
int dead(void) { return 1; }
int main(void) { return 0; }
