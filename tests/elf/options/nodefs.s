# `-z nodefs` is no word of any linker: it is told and has no effect.
//# driver: ld
//# link: main.o -z nodefs
//# expect-error: nosuch
//# peers: ld lld
.globl _start
_start: jmp nosuch
