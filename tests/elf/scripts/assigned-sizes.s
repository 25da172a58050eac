// An assigned symbol has the size, like the type, of the object's definition that it takes the place of,
// whether the object's definition is a common symbol, a function or a variable. lld says neither.
//# link: main.o -shared --defsym=common=0x300 assign.ld
//# symbol: function size=1 type=FUNC section=ABS
//# symbol: variable size=16 type=OBJECT section=ABS
//# dynsym: variable size=16 type=OBJECT
//# dynsym: common size=24 type=OBJECT
//# symbol: fresh size=0 type=OBJECT
//# peers: ld
.globl function, variable
.type function, @function
function: ret
.size function, 1
.data
.type variable, @object
.size variable, 16
variable: .zero 16
.comm common, 24, 8
.section .note.GNU-stack,"",@progbits
//# file: assign.ld
function = 0x20000;
variable = 0x30000;
fresh = variable;
