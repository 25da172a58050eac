// An alias of a thread-local variable is one itself: STT_TLS, with the offset in the block, for the
// program and for others that link with the library.
//# variant: defsym: -Wl,--defsym=other=second -Wl,--defsym=third=other
//# variant: chain: -Wl,--defsym=third=other -Wl,--defsym=other=a1 -Wl,--defsym=a1=a2 -Wl,--defsym=a2=second
//# variant: script: alias.ld
//# variant: sections: -Wl,-T,sections.ld
//# shared: libalias.so lib.o -Wl,--defsym=exported=target
//# archive: unused.a lib.o user.o
//# link: main.o user.o ./libalias.so -Wl,-rpath,.
//# symbol: other type=TLS value=4 size=0 section=.tdata
//# symbol: third type=TLS value=4
//# run: stdout="7 7 9\n"
//# look-at: libalias.so
//# dynsym: exported type=TLS value=4
#include <stdio.h>
__thread int first = 5, second = 7;
extern __thread int other, third, exported;
int main(void) { printf("%d %d %d\n", other, third, exported); return 0; }
//# file: lib.c -fPIC
__thread int in_front = 8;
__thread int target = 9;
//# file: user.c
int unused;
//# file: alias.ld
third = other;
other = second;
//# file: sections.ld
SECTIONS { .own : { third = second; other = SIZEOF(.own) ? first : third; } } INSERT AFTER .data;
