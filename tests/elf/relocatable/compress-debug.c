// --compress-debug-sections works with -r too.
//# compile: -g
//# relocatable: both.o main.o b.o -Wl,--compress-debug-sections=zlib
//# link: both.o
//# run: exit=5
//# look-at: both.o
//# section: .debug_info flags=C
//# peers: ld
int f(void);
int main(void) { return f(); }
//# file: b.c
int f(void) { return 5; }
