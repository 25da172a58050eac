// .L labels are dropped by -X, all local symbols by -x, everything by -s.
//# variant: none:
//# variant: locals: -Wl,-x
//# variant: all: -s
//# run
//# @none symbol: local bind=LOCAL
//# @locals no-symbol: local
//# @locals symbol: main
//# @all no-section: .symtab
static int local(void) { return 0; }
int (*volatile pointer)(void) = local;
int main(void) { return pointer(); }
