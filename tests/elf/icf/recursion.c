// Functions that call themselves, or each other in the same way, are equal. A function that
// differs far down makes all above it different.
//# peers: lld
//# compile: -O2 -ffunction-sections -fno-ipa-icf -fno-inline -fno-optimize-sibling-calls -fno-ipa-cp -fno-inline
//# link: -Wl,--icf=all
//# symbol: self_b value=symbol(self_a).value
//# symbol: even_b value=symbol(even_a).value
//# symbol: odd_b value=symbol(odd_a).value
//# symbol: even_a value!=symbol(odd_a).value
//# symbol: top_b value=symbol(top_a).value
//# symbol: top_c value!=symbol(top_a).value
//# symbol: mid_c value!=symbol(mid_a).value
//# run
volatile int zero;
int self_a(int n) { return n == 0 ? 1 : n * self_a(n - 1); }
int self_b(int n) { return n == 0 ? 1 : n * self_b(n - 1); }
int odd_a(int n);
int odd_b(int n);
int even_a(int n) { return n == 0 ? 1 : odd_a(n - 1) + zero; }
int even_b(int n) { return n == 0 ? 1 : odd_b(n - 1) + zero; }
int odd_a(int n) { return n == 0 ? zero : even_a(n - 1) + zero; }
int odd_b(int n) { return n == 0 ? zero : even_b(n - 1) + zero; }
int low_a(void) { return zero + 1; }
int low_b(void) { return zero + 1; }
int low_c(void) { return zero + 2; }
int mid_a(void) { return low_a() + zero; }
int mid_b(void) { return low_b() + zero; }
int mid_c(void) { return low_c() + zero; }
int top_a(void) { return mid_a() + zero + 3; }
int top_b(void) { return mid_b() + zero + 3; }
int top_c(void) { return mid_c() + zero + 3; }
int main(void) {
  if (self_a(5) != 120 || self_b(5) != 120 || even_a(6) != 1 || even_b(7) != 0) return 1;
  return top_a() != 4 || top_b() != 4 || top_c() != 5;
}
