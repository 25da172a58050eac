// An object stands twice on the command line.
//# peers: none
//# link: main.o area.o area.o
//# error-text: ld: error: duplicate symbol: area
//# error-text: >>> defined at area.c
//# error-text: >>>            area.o:(area)
//# error-text: >>> defined at area.c
//# error-text: >>>            area.o:(area)
//# error-text: >>> area.o is linked twice
int area(int);
int main(void) { return area(2); }
//# file: area.c
int area(int side) { return side * side; }
