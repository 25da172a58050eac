// The name of the source stands before the local symbols.
//# symbol: main.c type=FILE bind=LOCAL section=ABS
//# symbol: local index>symbol(main.c).index
static int local(void) { return 0; }
int (*volatile pointer)(void) = local;
int main(void) { return pointer(); }
