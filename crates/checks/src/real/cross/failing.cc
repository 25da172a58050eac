#include <stdexcept>
struct Failure : std::runtime_error { using runtime_error::runtime_error; ~Failure() override; };
Failure::~Failure() {}
struct Guard { int &n; Guard(int &n) : n(n) {} ~Guard() { ++n; } };
thread_local int depth = 0;
int &unwound() { static int n; return n; }
[[gnu::noinline]] void fail(int n) {
  Guard guard(unwound());
  ++depth;
  if (n == 0) throw Failure("deep");
  fail(n - 1);
}
static int fast() { return 7; }
extern "C" int (*choose())() { return fast; }
extern "C" __attribute__((ifunc("choose"))) int chosen();
extern "C" int (*library_chosen())() { return chosen; }
thread_local struct Counted { int n = 40; ~Counted(); } counted;
int destroyed;
Counted::~Counted() { __atomic_add_fetch(&destroyed, 1, __ATOMIC_SEQ_CST); }
int &count() { return counted.n; }
