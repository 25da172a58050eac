// An assertion that stands outside of SECTIONS is checked, too.
//# peers: ld lld
//# link: main.o -T layout.ld
//# expect-error: (layout\.ld:2: )?the text is too long
.globl _start
_start: ret
//# file: layout.ld
SECTIONS { .text : { *(.text) } }
ASSERT(SIZEOF(.text) == 0, "the text is too long")
