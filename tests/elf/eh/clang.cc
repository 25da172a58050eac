// clang's .eh_frame has section type X86_64_UNWIND; both kinds mix.
//# cc: clang-19
//# driver: g++
//# run: exit=7
//# section: .eh_frame flags=A
int thrower();
int main() {
  try { return thrower(); } catch (int x) { return x; }
}
//# file: b.cc
int thrower() { throw 7; }
