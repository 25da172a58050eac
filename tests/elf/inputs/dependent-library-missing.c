// A library that an object names and that is nowhere is an error with both names.
//# cc: clang-19
//# link: main.o
//# peers: lld
//# expect-error: main.o: unable to find library from dependent library specifier: nowhere
//# file: main.c
#pragma comment(lib, "nowhere")
int main(void) { return 0; }
