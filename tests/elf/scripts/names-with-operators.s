// Before an assignment `a-b` and `d/e` are names, as for GNU ld and lld; behind it they are expressions.
// `x-=1` is an assignment of `x`.
//# variant: top: -T top.ld
//# variant: in-sections: -T in-sections.ld
//# variant: in-section: -T in-section.ld
//# variant: provided: -T provided.ld
//# variant: implicit: implicit.ld
//# link: main.o -e 0
//# symbol: a-b value=5
//# @top,in-sections,in-section symbol: d/e~f value=4
//# @top,in-sections,in-section symbol: x value=6
//# @in-section symbol: a-b section=.text
//# peers: ld
.text
lea "a-b"(%rip), %rax
.section .note.GNU-stack,"",@progbits
//# file: top.ld
a-b = 5; x = 7; x-=1; d/e~f = x - 2;
SECTIONS { .text : { *(.text) } }
//# file: in-sections.ld
SECTIONS { a-b = 5; x = 7; x-=1; d/e~f = x - 2; .text : { *(.text) } }
//# file: in-section.ld
SECTIONS { .text 0 : { *(.text) a-b = 5; x = 7; x-=1; d/e~f = 4; } }
//# file: provided.ld
PROVIDE(a-b = 5);
SECTIONS { .text : { *(.text) } }
//# file: implicit.ld
a-b = 5;
