#include <iostream>
#include <stdexcept>
#include <thread>
#include <typeinfo>
#include <vector>
#include <future>
#include <locale>
#include <sstream>
struct Failure : std::runtime_error { using runtime_error::runtime_error; ~Failure() override; };
void fail(int);
int &unwound();
int &count();
extern int destroyed;
extern "C" int chosen();
extern "C" int (*library_chosen())();
extern thread_local int depth;
static thread_local std::string name = "none";
static int own() { return 35; }
static int (*choose_own())() { return own; }
static int mine() __attribute__((ifunc("_ZL10choose_ownv")));
int main() {
  try { fail(5); } catch (const Failure &f) {
    std::cout << f.what() << ' ' << unwound() << ' ' << depth << '\n';
  }
  std::vector<std::thread> threads;
  int seen[4];
  for (int i = 0; i < 4; ++i) threads.emplace_back([i, &seen] {
    name += std::to_string(i);
    count() += i;
    try { fail(i); } catch (const std::exception &e) { seen[i] = depth * 100 + count() + (int)name.size(); }
  });
  for (auto &t : threads) t.join();
  for (int s : seen) std::cout << s << ' ';
  std::cout << destroyed << '\n';
  auto f = std::async(std::launch::async, [] { fail(2); return 1; });
  try { f.get(); } catch (const std::exception &e) { std::cout << typeid(e).name() << '\n'; }
  std::cout << chosen() + mine() << ' ' << (library_chosen() == chosen) << ' ' << name << '\n';
  std::ostringstream s; s.imbue(std::locale::classic()); s << 1.5 << ' ' << std::hex << 255;
  std::cout << s.str() << '\n';
}
