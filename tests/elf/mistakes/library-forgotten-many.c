// Many functions of one library that is not linked: the first message says so for all, those that
// are not printed too.
//# peers: none
//# compile: -g
//# archive: libshape.a shape.o
//# link: main.o -L. -Wl,--error-limit=3
//# error-text: ld: error: undefined symbol: area
//# error-text: >>> referenced by main.c:2 ($WORK/main.c:2)
//# error-text: >>>               main.o:(main)
//# error-text: >>> defined in ./libshape.a, which is not linked; add -lshape
//# error-text: >>> 4 more undefined symbols are defined there
//# error-text: ld: error: undefined symbol: width
//# error-text: >>> referenced by main.c:2 ($WORK/main.c:2)
//# error-text: >>>               main.o:(main)
//# error-text: ld: error: undefined symbol: height
//# error-text: >>> referenced by main.c:2 ($WORK/main.c:2)
//# error-text: >>>               main.o:(main)
//# error-text: ld: error: too many errors emitted, stopping now (use --error-limit=0 to see all errors)
//# file: main.c
int area(int), width(int), height(int), depth(int), volume(int);
int main(int n, char **names) { return area(n) ^ width(n) ^ height(n) ^ depth(n) ^ volume(n); }
//# file: shape.c
int area(int n) { return n; }
int width(int n) { return n; }
int height(int n) { return n; }
int depth(int n) { return n; }
int volume(int n) { return n; }
