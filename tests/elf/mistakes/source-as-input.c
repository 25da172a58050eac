// A source is given to the linker.
//# peers: none
//# driver: ld
//# link: main.c
//# error-text: ld: error: main.c: is C source: compile it first, and link the object
int main(void) { return 0; }
