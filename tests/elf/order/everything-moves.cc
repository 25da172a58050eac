// Exceptions, constructors, thread-local variables, packed and ordinary dynamic relocations work
// wherever sections are put.
//# compile: -ffunction-sections -fdata-sections
//# variant: seed: -Wl,--shuffle-sections=3
//# variant: glob: -Wl,--shuffle-sections=*=3
//# variant: reverse: -Wl,--reverse-sections
//# variant: padding: -Wl,--randomize-section-padding=3
//# variant: both: -Wl,--randomize-section-padding=9,--shuffle-sections=9,--gc-sections
//# variant: relr: -Wl,--shuffle-sections=3,--randomize-section-padding=5,-z,pack-relative-relocs
//# variant: static: -static -Wl,--shuffle-sections=3,--randomize-section-padding=5
//# variant: static-pie: -static-pie -Wl,--shuffle-sections=3,--randomize-section-padding=5 | -fPIE
//# link: -pthread
//# run: stdout="caught 7 42 x y"
//# peers:
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
struct Base {
  virtual ~Base() {}
  virtual int value() { return 1; }
};
struct Derived : Base {
  int value() override { return 7; }
};
thread_local int local = 40;
static std::vector<std::string> words = {"x", "y"};
Base *volatile object = new Derived;
int (*volatile pointers[])(const char *, ...) = {std::printf, std::printf};
void fail(int n) {
  if (n == 0) throw std::runtime_error("caught");
  fail(n - 1);
}
int main() {
  int seen = 0;
  std::thread([&] { local += 2; seen = local; }).join();
  try {
    fail(5);
  } catch (std::exception &error) {
    pointers[1]("%s %d %d %s %s", error.what(), object->value(), seen, words[0].c_str(),
                words[1].c_str());
  }
}
