// .gnu.warning says something to all who link the file; with -r the warnings of symbols are given too, and
// once more by the next link.
//# variant: file: main.o w.o
//# @file warning: w\.o: (warning: )?this file is bad
//# @file no-contains: .rodata this file is bad
//# @file no-section: .gnu.warning
//# variant: joined: -r main.o use.o
//# @joined warning: do not use q
//# relocatable: both.o main.o use.o
//# variant: both: both.o
//# @both run: exit=3
//# peers: ld
int main(void) { return 3; }
//# file: w.c
const char w[] __attribute__((section(".gnu.warning"), used)) = "this file is bad";
//# file: use.c
const char wq[] __attribute__((section(".gnu.warning.q"), used)) = "do not use q";
int q(void);
int user(void) { return q(); }
//# file: q.c
int q(void) { return 1; }
