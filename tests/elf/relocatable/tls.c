// Thread-local sections and symbols keep their type.
//# relocatable: both.o main.o b.o
//# link: both.o
//# run: exit=7
//# look-at: both.o
//# symbol: value type=TLS
//# section: .tdata flags=WAT
extern _Thread_local int value;
int main(void) { return value; }
//# file: b.c
_Thread_local int value = 7;
