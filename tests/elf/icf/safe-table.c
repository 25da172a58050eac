// Clang's table says whose address matters: with --icf=safe those functions keep theirs, with
// --icf=all only data does.
//# peers: lld
//# cc: clang-19
//# compile: -O2 -ffunction-sections -fdata-sections -faddrsig -fno-pic
//# variant: safe: -no-pie -Wl,--icf=safe
//# variant: all: -no-pie -Wl,--icf=all
//# symbol: called_b value=symbol(called_a).value
//# @safe symbol: taken_b value!=symbol(taken_a).value
//# @all symbol: taken_b value=symbol(taken_a).value
//# symbol: table_b value=symbol(table_a).value
//# symbol: kept_b value!=symbol(kept_a).value
//# run
volatile int sink;
__attribute__((noinline)) int called_a(int x) { return sink += x; }
__attribute__((noinline)) int called_b(int x) { return sink += x; }
__attribute__((noinline)) int taken_a(int x) { return sink -= x; }
__attribute__((noinline)) int taken_b(int x) { return sink -= x; }
const int table_a[4] = {1, 2, 3, 4};
const int table_b[4] = {1, 2, 3, 4};
const int kept_a[4] = {5, 6, 7, 8};
const int kept_b[4] = {5, 6, 7, 8};
const int *volatile pointer = kept_a;
int (*volatile function)(int) = taken_a;
int main(void) {
  if (pointer == kept_b) return 1;
  function = sink ? taken_a : taken_b;
  return called_a(1) + called_b(1) + function(1) + table_a[sink] + table_b[sink] != 8;
}
