// The C++ library and its initializers in each kind of output.
//# variant: pie: -pie | -fPIE
//# variant: nopie: -no-pie | -fno-pie
//# variant: static: -static
//# run: stdout="Hello, world\n"
#include <iostream>
int main() { std::cout << "Hello, world" << std::endl; }
