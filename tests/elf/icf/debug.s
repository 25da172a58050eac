# Debug information describes folded functions as if they were gone, but the line table gives them
# the address of the function that stands for them, so that breakpoints in them are hit.
//# peers: none
//# link: --icf=all -e first --image-base=0x400000 --section-start=.text=0x500000
//# symbol: second value=symbol(first).value
//# bytes: .debug_info = 00 00 50 00 00 00 00 00 00 00 00 00 00 00 00 00 06 00 50 00 00 00 00 00
//# bytes: .debug_line = 00 00 50 00 00 00 00 00 00 00 50 00 00 00 00 00 06 00 50 00 00 00 00 00
//# bytes: .debug_ranges = 00 00 50 00 00 00 00 00 01 00 00 00 00 00 00 00 06 00 50 00 00 00 00 00
//# bytes: .annotation = 00 00 50 00 00 00 00 00 00 00 50 00 00 00 00 00 06 00 50 00 00 00 00 00
        .section .text.first,"ax"
        .globl first
first:  mov $1, %eax
        ret
        .section .text.second,"ax"
        .globl second
second: mov $1, %eax
        ret
        .section .text.third,"ax"
        .globl third
third:  mov $2, %eax
        ret
        .irp name, .debug_info, .debug_line, .debug_ranges, .annotation
        .section \name,"",@progbits
        .dc.a first, second, third
        .endr
