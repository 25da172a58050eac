// -S drops debug sections and keeps symbols.
//# compile: -g
//# link: -Wl,-S
//# run
//# no-section: .debug_info
//# symbol: main
int main(void) { return 0; }
