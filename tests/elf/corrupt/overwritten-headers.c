// No byte of an object's headers can crash the linker.
//# driver: ld
//# compile: -O1 -g0
//# link: -static -e f
//# sh: head -c 64 main.o > head; cmp -n 64 head main.o
//# corrupt: overwrite main.o 11 7f
//# peers: ld
int f(void) { return 1; }
