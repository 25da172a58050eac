// A function of a header that is not inline.
//# peers: none
//# compile: -g
//# error-text: ld: error: duplicate symbol: area
//# error-text: >>> defined at area.h:1 ($WORK/area.h:1)
//# error-text: >>>            main.o:(area)
//# error-text: >>> defined at area.h:1 ($WORK/area.h:1)
//# error-text: >>>            other.o:(area)
//# error-text: >>> both are area.h:1, which several sources include: make it inline or static, or only declare it in area.h
//# file: main.c
#include "area.h"
int main(void) { return area(2); }
//# file: other.c
#include "area.h"
//# file: area.h
int area(int side) { return side * side; }
