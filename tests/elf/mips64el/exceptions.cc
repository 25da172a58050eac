// Absolute addresses of .eh_frame become distances in a PIE, so that nothing is relocated in it.
//# variant: pie: -pie
//# variant: fixed: -no-pie
//# variant: static: -static
//# compile: -O1
//# run: stdout="caught 7\n"
//# @pie no-dynamic: TEXTREL
//# @pie no-reloc: R_MIPS_REL32/R_MIPS_64 section=.eh_frame
//# peers: ld
#include <cstdio>
#include <string>
struct Noisy {
  std::string text = "a long text that is not stored in place";
  ~Noisy() { text.clear(); }
};
__attribute__((noinline)) static int thrower(int depth) {
  Noisy noisy;
  if (depth == 0) throw 7;
  return thrower(depth - 1) + static_cast<int>(noisy.text.size());
}
int main() {
  try {
    return thrower(3);
  } catch (int value) {
    std::printf("caught %d\n", value);
  }
  return 0;
}
