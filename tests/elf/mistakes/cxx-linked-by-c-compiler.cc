// C++ objects linked by gcc, which does not know the C++ library.
//# driver: gcc
//# peers: none
//# expect-error: ^ld: error: undefined symbol: std::cout$
//# expect-error: ^>>> referenced by main\.cc$
//# expect-error: ^>>>               main\.o:\(main\)$
//# expect-error: ^>>> defined in /usr/lib/\S+/libstdc\+\+\.so, which is not linked; link with g\+\+, or add -lstdc\+\+$
#include <iostream>
int main() { std::cout << 1; }
