// A library refers to a name that another one only has behind a version.
//# driver: ld
//# peers: none
//# shared: libuser.so user.o
//# shared: libshape.so shape.o --version-script=v.map
//# link: main.o libuser.so libshape.so
//# error-text: ld: error: libuser.so: --no-allow-shlib-undefined: undefined symbol: area
//# error-text: >>> libshape.so has it as area@SHAPE_1, for programs that ask for this version
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
//# file: user.s
.globl use
use: jmp area@PLT
.section .note.GNU-stack,"",@progbits
//# file: shape.s
.globl old_area
.type old_area, @function
.symver old_area, area@SHAPE_1
old_area: ret
.section .note.GNU-stack,"",@progbits
//# file: v.map
SHAPE_1 { };
