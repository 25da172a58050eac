// One copy of an inline function is kept, and its group's sections with it.
//# run: exit=3
//# symbol: _Z5twicei count=1
//# compile: -O0
inline int twice(int x) { return 2 * x; }
int other();
int main() { return twice(1) + other(); }
//# file: b.cc
inline int twice(int x) { return 2 * x; }
int other() { return twice(1) - 1; }
