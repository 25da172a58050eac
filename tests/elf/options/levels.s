// -Os, -Oz, -Og and -Ofast are levels that compilers have, which reach the linker with their options;
// -G without a size is -shared.
//# variant: s: -Os
//# variant: z: -Oz
//# variant: g: -Og
//# variant: fast: -Ofast
//# variant: apart: -O s
//# variant: shared: -G
//# variant: size: -G 8
//# @s,z,fast,apart no-contains: .rodata bar\0foobar\0
//# @shared header: type=DYN
//# @s,size header: type=EXEC
//# peers: ld
        .globl  _start
_start: ret
        .section .rodata.str1.1,"aMS",@progbits,1
        .asciz  "bar"
        .asciz  "foobar"
        .section .note.GNU-stack,"",@progbits
