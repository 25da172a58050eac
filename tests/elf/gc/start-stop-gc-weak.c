// With -z start-stop-gc weak references to the bounds of a set that is dropped are zero, wherever
// the program is loaded.
//# peers: lld
//# variant: fixed: -no-pie -Wl,--gc-sections -Wl,-z,start-stop-gc | -fno-pie
//# variant: moved: -pie -Wl,--gc-sections -Wl,-z,start-stop-gc | -fpie
//# variant: loads: -pie -Wl,--gc-sections -Wl,-z,start-stop-gc | -fPIC
//# no-symbol: entry
//# run
__attribute__((section("table"))) int entry = 5;
extern int __start_table[] __attribute__((weak));
extern int __stop_table[] __attribute__((weak));
int *volatile bounds[] = {__start_table, __stop_table};
int main(void) { return __start_table != 0 || bounds[0] != bounds[1] || bounds[0] != 0; }
