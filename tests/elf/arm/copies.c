// Variables and functions of a library that code at fixed addresses names.
//# compile: -O1 -fno-pic
//# shared: liba.so a.o
//# link: -no-pie main.o -L. -la -Wl,-rpath,$ORIGIN
//# run: stdout="3 1 4\n"
//# reloc: R_ARM_COPY symbol=variable
//# peers: ld
#include <stdio.h>
extern int variable;
int function(void);
int (*same(void))(void);
int main(void) {
  variable++;
  printf("%d %d %d\n", variable, same() == function, function());
  return 0;
}
//# file: a.c -fPIC
int variable = 2;
int function(void) { return variable + 1; }
int (*same(void))(void) { return function; }
