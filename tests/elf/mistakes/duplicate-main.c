// Two programs in one.
//# peers: none
//# compile: -g
//# error-text: ld: error: duplicate symbol: main
//# error-text: >>> defined at main.c:1 ($WORK/main.c:1)
//# error-text: >>>            main.o:(main)
//# error-text: >>> defined at test.c:1 ($WORK/test.c:1)
//# error-text: >>>            test.o:(main)
//# file: main.c
int main(void) { return 0; }
//# file: test.c
int main(void) { return 1; }
