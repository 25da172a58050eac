// A name with a typing error, used in more places than are listed.
//# peers: none
//# compile: -g
//# error-text: ld: error: undefined symbol: prinft
//# error-text: >>> referenced by main.c:3 ($WORK/main.c:3)
//# error-text: >>>               main.o:(main)
//# error-text: >>> referenced by main.c:4 ($WORK/main.c:4)
//# error-text: >>>               main.o:(main)
//# error-text: >>> referenced by main.c:5 ($WORK/main.c:5)
//# error-text: >>>               main.o:(main)
//# error-text: >>> referenced 1 more times
//# error-text: >>> did you mean: printf
//# error-text: >>> defined in: /lib/x86_64-linux-gnu/libc.so.6
//# file: main.c
int prinft(const char *, ...);
int main(void) {
  prinft("a");
  prinft("b");
  return prinft("c") + prinft("d");
}
