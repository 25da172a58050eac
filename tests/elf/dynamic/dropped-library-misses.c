// What a library misses is nothing to a program that does not name it, because --as-needed dropped it.
//# variant: dropped: main.o -Wl,--as-needed libl.so
//# @dropped no-dynamic: NEEDED value~libl
//# @dropped peers: ld
//# variant: kept: main.o -Wl,--no-as-needed libl.so
//# variant: used: main.o -Wl,--as-needed libl.so | -DUSED
//# variant: through: main.o -L. -Wl,--as-needed libl.so libu.so -Wl,--no-allow-shlib-undefined | -DTHROUGH
//# @kept,used,through expect-error: undefined (reference|symbol).*nowhere
//# shared: libl.so l.o
//# shared: libu.so u.o -L. -Wl,--no-as-needed -ll
//# peers: ld lld
int f(void), u(void);
int main(void) {
#ifdef USED
  return f();
#endif
#ifdef THROUGH
  return u();
#endif
  return 0;
}
//# file: l.c -fPIC
int nowhere(void);
int f(void) { return nowhere(); }
//# file: u.c -fPIC
int f(void);
int u(void) { return f(); }
