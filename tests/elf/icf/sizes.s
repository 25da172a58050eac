# A relocation for a symbol's size does not mean a place: functions at one address may differ in it.
//# peers: none
//# link: --icf=all -e first
//# symbol: second value!=symbol(first).value
//# symbol: third value=symbol(first).value
        .data
        .globl small, large
        .size small, 1
        .size large, 8
small:
large:  .quad 1
        .irp name, first, third
        .section .text.\name,"ax"
        .globl \name
\name:  mov $small, %eax
        mov $2, %ebx
        ret
        .endr
        .section .text.second,"ax"
        .globl second
second: mov $small@SIZE, %eax
        mov $2, %ebx
        ret
