// A definition wins over a common symbol.
//# compile: -fcommon
//# run: exit=5
//# symbol: value size=4 section=.data
int value;
int main(void) { return value; }
//# file: b.c
int value = 5;
