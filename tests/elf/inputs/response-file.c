// @file stands for the words in it, quotes and escapes and all.
//# driver: ld
//# sh: cp lib.o 'with space.o'
//# archive: unused.a lib.o
//# link: @args.rsp
//# run: exit=3
//# header: entry=symbol(other).value
int lib(void);
void other(void) {
  __asm__ volatile("syscall" ::"a"(60), "D"(lib()));
}
//# file: lib.c
int lib(void) { return 3; }
//# file: args.rsp
-static
 'with space.o' "main.o" -e oth\er
