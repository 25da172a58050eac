// -r joins Clang's tables of symbols whose address matters, with the numbers that the symbols have
// in the output: --icf=safe folds what it folds without -r. All symbols of an object without a table
// matter.
//# peers:
//# cc: clang-19
//# compile: -O2 -ffunction-sections -faddrsig -fno-pic
//# driver: clang-19
//# relocatable: joined.o main.o other.o
//# relocatable: nameless.o main.o other.o -Wl,-x
//# relocatable: again.o joined.o
//# relocatable: mixed.o main.o other.o plain.o
//# relocatable: untold.o plain.o
//# variant: apart: main.o other.o plain.o
//# variant: joined: joined.o plain.o
//# variant: nameless: nameless.o plain.o
//# variant: again: again.o plain.o
//# variant: mixed: mixed.o
//# variant: untold: main.o other.o untold.o
//# link: -no-pie -Wl,--icf=safe
//# symbol: called_b value=symbol(called_a).value
//# symbol: taken_b value!=symbol(taken_a).value
//# @mixed symbol: plain_b value!=symbol(plain_a).value
//# @apart,untold,joined,again,mixed symbol: own_b value!=symbol(own_a).value
//# @joined,again look-at: joined.o
//# @joined,again section: .llvm_addrsig type=0x6fff4c03 link=section(.symtab).index
//# @untold look-at: untold.o
//# @untold no-section: .llvm_addrsig
//# run:
//# file: main.c
volatile int sink;
int other(void), plain_a(void), plain_b(void);
int called_b(int);
int taken_b(int);
__attribute__((noinline)) int called_a(int x) { return sink += x; }
__attribute__((noinline)) int taken_a(int x) { return sink -= x; }
__attribute__((noinline)) static int own_a(int x) { return sink ^= x; }
int (*volatile function)(int) = taken_a;
int (*volatile own)(int) = own_a;
extern int (*volatile other_own)(int);
int main(void) {
  if (function == taken_b || own == other_own) return 1;
  return called_a(1) + called_b(1) - 3 + other() + plain_a() - plain_b();
}
//# file: other.c
extern volatile int sink;
extern int (*volatile function)(int);
__attribute__((noinline)) int called_b(int x) { return sink += x; }
__attribute__((noinline)) int taken_b(int x) { return sink -= x; }
__attribute__((noinline)) static int own_b(int x) { return sink ^= x; }
int (*volatile other_own)(int) = own_b;
int other(void) {
  function = taken_b;
  return 0;
}
//# file: plain.s
.section .text.plain_a,"ax",@progbits
.globl plain_a
.type plain_a, @function
plain_a:
  mov $1, %eax
  ret
.section .text.plain_b,"ax",@progbits
.globl plain_b
.type plain_b, @function
plain_b:
  mov $1, %eax
  ret
.section .note.GNU-stack,"",@progbits
