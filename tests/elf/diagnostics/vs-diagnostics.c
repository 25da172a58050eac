// A message that knows a source line begins with it, in the form that Visual Studio understands;
// a symbol with two definitions has one message at each.
//# peers: lld
//# variant: line: main.o -Wl,--vs-diagnostics | -g
//# @line expect-error: ^/.*main\.c\(3\): error: undefined symbol: nowhere
//# variant: two: main.o other.o -Wl,--vs-diagnostics | -g
//# @two expect-error: ^/.*main\.c\(2\): error: duplicate symbol: twice
//# @two expect-error: ^/.*other\.c\(1\): error: duplicate symbol: twice
//# variant: no-line: main.o -Wl,--vs-diagnostics | -g0
//# @no-line expect-error: ^\S*ld\S*: error: undefined symbol: nowhere
//# variant: nothing: main.o -Wl,--vs-diagnostics -lno_such_library
//# @nothing expect-error: ^\S*ld\S*: error: unable to find library
//# variant: off: main.o | -g
//# @off expect-error: ^\S*ld\S*: error: undefined symbol: nowhere
//# file: main.c
int nowhere(void);
int twice(void) { return 1; }
int main(void) { return nowhere(); }
//# file: other.c
int twice(void) { return 2; }
