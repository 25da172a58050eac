// A virtual function that was declared and not defined: the table of virtual functions is missing.
//# machines: x86-64 i386 x32 each reference has one relocation
//# peers: none
//# compile: -g
//# error-text: ld: error: undefined symbol: vtable for Shape
//# error-text: >>> referenced by main.cc:1 ($WORK/main.cc:1)
//# error-text: >>>               main.o:(Shape::Shape())
//# error-text: >>> the vtable symbol may be undefined because the class is missing its key function (see https://lld.llvm.org/missingkeyfunction)
//# file: main.cc
struct Shape {
  virtual int area();
  virtual int sides() { return 4; }
};
int main() { return Shape().sides(); }
