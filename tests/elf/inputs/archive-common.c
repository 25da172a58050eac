// A common symbol is replaced by a member that defines it with a value.
//# driver: gcc
//# compile: -fcommon
//# archive: libx.a def.o
//# link: main.o libx.a
//# run: exit=7
//# peers: ld
int value;
int main(void) { return value; }
//# file: def.c
int value = 7;
