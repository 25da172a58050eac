// -T with a script that only names inputs adds those.
//# driver: gcc
//# link: main.o -T more.txt
//# run: exit=3
//# peers: lld
int used(void);
int main(void) { return used(); }
//# file: used.c
int used(void) { return 3; }
//# file: more.txt
INPUT(used.o)
