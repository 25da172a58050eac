// Objects joined with -r become the same program.
//# compile: -O1 -fPIC
//# relocatable: joined.o main.o more.o
//# link: joined.o
//# run: stdout="1 2 hello\n"
//# peers: ld
#include <stdio.h>
extern int counter;
extern __thread int local;
const char *text(void);
int main(void) {
  printf("%d %d %s\n", counter, local, text());
  return 0;
}
//# file: more.c
int counter = 1;
__thread int local = 2;
const char *text(void) { return "hello"; }
