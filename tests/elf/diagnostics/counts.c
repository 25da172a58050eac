// --stats counts what was linked; --print-memory-usage has no regions without a script.
//# machines: x86-64 aarch64 aarch64_be i386 x32 riscv64 the linker offers no functions by other names
//# variant: stats: -Wl,--stats
//# variant: memory: -Wl,--print-memory-usage
//# variant: dependencies: -Wl,--print-dependencies
//# link: main.o
//# peers:
//# @stats stdout: ^ +1 of them members of archives$|^ +[0-9]+ objects$
//# @memory stdout: ^Memory region +Used Size +Region Size +%age Used$
//# @dependencies stdout: ^main.o:\(.text\)\t.*libc.so.6\tu\tputs$
//# @stats check: $LD --stats -e main main.o --unresolved-symbols=ignore-all -o again | grep '^ *[1-5][0-9] global names$'
//# file: main.c
int puts(const char *);
int main(void) { return puts("x") < 0; }
