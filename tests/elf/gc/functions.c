// --gc-sections drops what nothing reaches, and nothing else does.
//# variant: yes: -Wl,--gc-sections
//# variant: no: -Wl,--no-gc-sections
//# compile: -ffunction-sections -fdata-sections
//# run: exit=3
//# symbol: used
//# @yes no-symbol: unused
//# @yes no-symbol: unused_data
//# @no symbol: unused
int unused_data = 1;
int unused(void) { return unused_data; }
int used(void) { return 3; }
int main(void) { return used(); }
