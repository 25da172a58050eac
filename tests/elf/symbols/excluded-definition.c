// What is defined in a section that is for the linker's eyes only (SHF_EXCLUDE) is not defined: a
// library's symbol is meant, or another object's, and neither is the name exported.
//# peers: ld
//# variant: library: -L. -l:libvalue.so -Wl,-rpath,.
//# variant: object: value.o
//# variant: exporting: value.o -Wl,-E
//# shared: libvalue.so value.o
//# compile: -fPIC
//# link: main.o excluded.o
//# run: stdout="7 7"
//# @library dynsym: value section=UND
//# @object,exporting symbol: value section=.data
//# no-symbol: only section=ABS
//# no-dynsym: only
#include <stdio.h>
extern int value, *address(void);
int main(void) { printf("%d %d", value, *address()); }
//# file: excluded.s
.section .linker,"e",@progbits
.globl value, only
value: .quad 1
only: .quad 2
.text
.globl address
address: movq value@GOTPCREL(%rip), %rax
ret
.section .note.GNU-stack,"",@progbits
//# file: value.c
int value = 7;
