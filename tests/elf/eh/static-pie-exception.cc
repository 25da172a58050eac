// The unwinder of a static PIE finds .eh_frame_hdr through __ehdr_start or the program headers.
//# link: -static-pie
//# compile: -fPIE
//# run: stdout="caught\n"
#include <cstdio>
int main() {
  try { throw 1; } catch (int) { std::puts("caught"); }
}
