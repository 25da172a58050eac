// Member names longer than 15 bytes stand in a table of their own.
//# driver: gcc
//# archive: libx.a a-member-with-a-very-long-name.o
//# link: main.o libx.a
//# run: exit=3
int used(void);
int main(void) { return used(); }
//# file: a-member-with-a-very-long-name.c
int used(void) { return 3; }
