// A base class was compiled without run-time types.
//# peers: none
//# compile: -g
//# error-text: ld: error: undefined symbol: typeinfo for Shape
//# error-text: >>> referenced by main.cc
//# error-text: >>>               main.o:(typeinfo for Square)
//# error-text: >>> the class's virtual table is in shape.o, which was probably compiled with -fno-rtti
//# file: main.cc
struct Shape {
  virtual int area();
};
struct Square : Shape {
  int area() override { return 4; }
};
int main() {
  Square square;
  return square.area();
}
//# file: shape.cc -fno-rtti
struct Shape {
  virtual int area();
};
int Shape::area() { return 0; }
