// With -z start-stop-gc bounds of a set that nothing else keeps are undefined, and an error where
// something that is kept refers to them as if they were there.
//# peers: lld
//# variant: dropped: -Wl,--gc-sections -Wl,-z,start-stop-gc
//# variant: unused: -Wl,--gc-sections -Wl,-z,start-stop-gc | -DUNUSED -ffunction-sections
//# variant: kept: -Wl,--gc-sections -Wl,-z,start-stop-gc | -DKEPT
//# @dropped expect-error: undefined (symbol: __start_table|reference to .__start_table')
//# @dropped expect-error: undefined (symbol: __stop_table|reference to .__stop_table')
//# @unused,kept run
__attribute__((section("table"))) int entry = 5;
extern int __start_table[], __stop_table[];
#ifdef UNUSED
int unused(void) { return __stop_table - __start_table; }
int main(void) { return 0; }
#elif defined KEPT
int main(void) { return entry - 5 + (__stop_table - __start_table) - 1; }
#else
int main(void) { return __stop_table - __start_table; }
#endif
