// The commonest: sin without -lm.
//# peers: none
//# error-text: ld: error: undefined symbol: sin
//# error-text: >>> referenced by main.c
//# error-text: >>>               main.o:(main)
//# error-text: >>> defined in /usr/lib/x86_64-linux-gnu/libm.so, which is not linked; add -lm
double sin(double);
int main(int count, char **names) { return sin(count); }
