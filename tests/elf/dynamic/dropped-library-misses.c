// What a library misses is nothing to a program that does not name it, because --as-needed dropped it.
//# variant: dropped: main.o -Wl,--as-needed libl.so
//# @dropped no-dynamic: NEEDED value~libl
//# @dropped peers: ld
//# variant: kept: main.o -Wl,--no-as-needed libl.so
//# variant: used: main.o -Wl,--as-needed libl.so | -DUSED
//# @kept,used expect-error: undefined (reference|symbol).*nowhere
//# shared: libl.so l.o
//# peers: ld lld
int f(void);
int main(void) {
#ifdef USED
  return f();
#endif
  return 0;
}
//# file: l.c -fPIC
int nowhere(void);
int f(void) { return nowhere(); }
