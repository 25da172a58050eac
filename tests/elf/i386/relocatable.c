// Addends of relocations without addends are in the fields, also of what -r joins.
//# relocatable: r.o a.o b.o
//# link: r.o -no-pie
//# run: stdout="9 8 two\n"
#include <stdio.h>
int a(int), b(int);
const char *text(void);
int main(void) { printf("%d %d %s\n", a(1), b(1), text()); return 0; }
//# file: a.c -fno-pic
static int pad[7] = {1};
static int own[4] = {1, 9, 3, 4};
int a(int i) { return own[i] + pad[1]; }
//# file: b.c -fno-pic
static int own[4] = {1, 8, 3, 4};
static const char *texts[2] = {"one", "two"};
int b(int i) { return own[i]; }
const char *text(void) { return texts[1]; }
