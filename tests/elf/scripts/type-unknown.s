// A type that has no name and is no number is an error.
//# variant: name: -T name.ld
//# variant: symbol: -T symbol.ld
//# link: main.o -e 0
//# expect-error: type
//# peers: ld
.text
ret
//# file: name.ld
SECTIONS { .note (TYPE = SHT_OTHER) : { LONG(0) } }
//# file: symbol.ld
SECTIONS { seven = 7; .note (TYPE = seven) : { LONG(0) } }
