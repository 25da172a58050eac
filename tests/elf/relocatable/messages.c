// With -r too, common symbols that meet are warned of, names that options ask for must be there, and
// what they may have meant is said.
//# driver: ld
//# compile: -fcommon
//# peers: none
//# variant: common: -r --warn-common
//# variant: required: -r --require-defined=aera
//# variant: assigned: -r --require-defined=aera --defsym=aera=area
//# variant: expression: -r --defsym=surface=aera
//# link: main.o other.o
//# @common warning: multiple common symbols: shared\n>>> defined in main.o\n>>> defined in other.o$
//# @required expect-error: undefined symbol: aera\n>>> required by --require-defined\n>>> did you mean: area\n>>> defined in: main.o$
//# @assigned no-warning: .
//# @expression expect-error: undefined symbol: aera, referenced in an expression\n>>> did you mean: area\n>>> defined in: main.o$
int shared;
int area(int side) { return side * side; }
//# file: other.c
int shared;
