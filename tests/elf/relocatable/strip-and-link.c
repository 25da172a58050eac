// -r with -S drops debug information, and the result still links.
//# peers: ld
//# driver: gcc
//# compile: -g
//# relocatable: both.o main.o b.o -Wl,-S
//# link: both.o
//# run: exit=5
//# look-at: both.o
//# no-section: .debug_info
int f(void);
int main(void) { return f(); }
//# file: b.c
int f(void) { return 5; }
