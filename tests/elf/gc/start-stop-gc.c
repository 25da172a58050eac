// With -z start-stop-gc it does not.
//# link: -Wl,--gc-sections -Wl,-z,start-stop-gc
//# no-symbol: entry
__attribute__((section("table"))) int entry = 5;
extern int __start_table[] __attribute__((weak));
int main(void) { return __start_table == 0; }
