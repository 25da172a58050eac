// Groups in members that are taken late lose to those taken early.
//# driver: g++
//# archive: libx.a b.o
//# link: main.o libx.a
//# run: exit=3
//# symbol: _Z6sharedv count=1
//# compile: -O0
inline int shared() { return 1; }
int other();
int main() { return shared() + other(); }
//# file: b.cc
inline int shared() { return 1; }
int other() { return shared() + 1; }
