// A reference to __start_X keeps all sections called X.
//# link: -Wl,--gc-sections
//# peers: ld
//# run: exit=5
//# symbol: entry
__attribute__((section("table"))) int entry = 5;
extern int __start_table[];
int main(void) { return __start_table[0]; }
