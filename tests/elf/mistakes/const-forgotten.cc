// The definitions of a class do not have the parameters that its header says, nor its const.
//# machines: x86-64 i386 x32 each reference has one relocation
//# peers: none
//# compile: -g
//# error-text: ld: error: undefined symbol: Shape::Shape(int)
//# error-text: >>> referenced by main.cc:6 ($WORK/main.cc:6)
//# error-text: >>>               main.o:(main)
//# error-text: >>> did you mean: Shape::Shape(long)
//# error-text: >>> defined in: shape.o
//# error-text: ld: error: undefined symbol: Shape::area() const
//# error-text: >>> referenced by main.cc:6 ($WORK/main.cc:6)
//# error-text: >>>               main.o:(main)
//# error-text: >>> did you mean: Shape::area()
//# error-text: >>> defined in: shape.o
//# error-text: ld: error: undefined symbol: Shape::n
//# error-text: >>> referenced by main.cc:6 ($WORK/main.cc:6)
//# error-text: >>>               main.o:(main)
//# file: main.cc
struct Shape {
  Shape(int);
  int area() const;
  static int n;
};
int main() { return Shape(2).area() + Shape::n; }
//# file: shape.cc
struct Shape {
  Shape(long);
  int area();
  void m();
};
Shape::Shape(long) {}
int Shape::area() { return 0; }
void Shape::m() {}
