// Two files with different std::string.
//# peers: none
//# driver: g++
//# error-text: ld: error: undefined symbol: greet(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >)
//# error-text: >>> referenced by main.cc
//# error-text: >>>               main.o:(main)
//# error-text: >>> did you mean: greet(std::string)
//# error-text: >>> defined in: greet.o
//# error-text: >>> the two were compiled with different std::string: give both the same _GLIBCXX_USE_CXX11_ABI
#include <string>
void greet(std::string name);
int main() { greet("world"); }
//# file: greet.cc -D_GLIBCXX_USE_CXX11_ABI=0
#include <string>
void greet(std::string) {}
