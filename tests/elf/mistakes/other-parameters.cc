// The declaration and the definition differ in the parameters.
//# peers: none
//# compile: -g
//# error-text: ld: error: undefined symbol: shapes::area(char const*, int)
//# error-text: >>> referenced by main.cc:2 ($WORK/main.cc:2)
//# error-text: >>>               main.o:(main)
//# error-text: >>> did you mean: shapes::area(char*, int)
//# error-text: >>> defined in: area.o
//# file: main.cc
namespace shapes { int area(const char *name, int side); }
int main() { return shapes::area("square", 2); }
//# file: area.cc
namespace shapes { int area(char *, int side) { return side * side; } }
