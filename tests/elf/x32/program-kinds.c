// A program of each kind runs: its code, a library's and data reach each other, and words are
// relocated at the start.
//# variant: pie: -pie | -fPIE
//# variant: fixed: -no-pie | -fno-pie
//# variant: static: -static | -fno-pie
//# variant: static-pie: -static-pie | -fPIE
//# @pie,fixed shared: libb.so b.o
//# @pie,fixed link: libb.so
//# @static,static-pie link: b.o
//# peers: ld
//# run: stdout="7 30 4 10\n"
//# header: machine=62
//# @pie reloc: R_X86_64_RELATIVE place=symbol(own).value
//# @pie,fixed reloc: R_X86_64_JUMP_SLOT symbol=shared_function
int printf(const char *, ...);
extern int shared_data[4];
int shared_function(int);
static int counts[4] = {10, 20, 30, 40};
static __thread int mine = 3;
int *own = &counts[2];
int *theirs = &shared_data[3];
int (*function)(int) = shared_function;
int main(void) {
  mine++;
  printf("%d %d %d %d\n", shared_function(3), *own, *theirs, function(mine + 2));
  return 0;
}
//# file: b.c -fPIC
int shared_data[4] = {1, 2, 3, 4};
__attribute__((noinline)) int shared_function(int x) { return x + shared_data[3]; }
