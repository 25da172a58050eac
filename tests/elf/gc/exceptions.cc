// Unwind tables do not keep functions, and live functions keep their handlers.
//# compile: -ffunction-sections
//# link: -Wl,--gc-sections
//# run: stdout="caught 3\n"
//# no-symbol: _Z4deadv
#include <cstdio>
void dead() { try { throw 1; } catch (int) {} }
int main() {
  try { throw 3; } catch (int x) { std::printf("caught %d\n", x); }
}
