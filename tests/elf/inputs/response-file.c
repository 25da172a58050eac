// @file stands for the words in it, quotes and comments and all.
//# driver: ld
//# link: @args.rsp
//# sh: cp lib.o 'with space.o'
//# archive: unused.a lib.o
//# run: exit=0
//# header: entry=symbol(start here).value
void _start(void) __asm__("start here");
int lib(void);
void _start(void) {
  __asm__ volatile("syscall" ::"a"(60), "D"(lib()));
}
//# file: lib.c
int lib(void) { return 0; }
//# file: args.rsp
-static
 'with space.o' "main.o" -e start\ here
