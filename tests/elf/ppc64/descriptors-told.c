// Messages name the function, not its descriptor.
//# driver: ld
//# compile: -ffunction-sections
//# variant: undefined: main.o
//# variant: twice: main.o other.o --defsym=missing=main
//# @undefined expect-error: undefined symbol: missing\n>>> referenced by .*\n>>> +main.o:\(main\)
//# @twice expect-error: duplicate symbol: twice\n>>> defined at .*\n>>> +main.o:\(twice\)\n>>> defined at .*\n>>> +other.o:\(twice\)
//# peers:
int missing(void);
int twice(void) { return 1; }
int main(void) { return missing() + twice(); }
//# file: other.c
int before(void) { return 1; }
int twice(void) { return 2; }
