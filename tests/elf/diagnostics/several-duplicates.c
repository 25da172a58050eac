// Each of several duplicates names both of its places.
//# peers: none
//# compile: -g
//# error-text: ld: error: duplicate symbol: two
//# error-text: >>> defined at main.c:2 ($WORK/main.c:2)
//# error-text: >>>            main.o:(two)
//# error-text: >>> defined at other.c:1 ($WORK/other.c:1)
//# error-text: >>>            other.o:(two)
//# error-text: ld: error: duplicate symbol: one
//# error-text: >>> defined at main.c:1 ($WORK/main.c:1)
//# error-text: >>>            main.o:(one)
//# error-text: >>> defined at other.c:2 ($WORK/other.c:2)
//# error-text: >>>            other.o:(one)
//# file: main.c
int one(void) { return 1; }
int two(void) { return 2; }
int main(void) { return 0; }
//# file: other.c
int two(void) { return 3; }
int one(void) { return 4; }
