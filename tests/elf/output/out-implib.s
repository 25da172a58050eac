// --out-implib: the output's global symbols as absolute ones in an object, with which another link
// finds them; not what is local, imported or made by the linker.
//# file: user.s
.globl user
user:
  call function
  mov variable, %edi
  mov $60, %eax
  syscall
.section .note.GNU-stack,"",@progbits
//# file: main.s
.globl _start, function, variable, weak
_start: call function
local: ret
.type function, @function
function: ret
.size function, 1
.weak weak
weak: nop
.comm large, 8
.data
.type variable, @object
variable: .long 7
.size variable, 4
.section .note.GNU-stack,"",@progbits
//# relocatable: use.o user.o
//# link: main.o --out-implib=main.imp --defsym assigned=5
//# variant: program: -Ttext=0x40e000 -Tdata=0x50f000
//# variant: pie: -pie
//# variant: stripped: -s
//# @stripped expect-error: main\.imp: no symbol found for import library
//# @program check: cd $(dirname $OUT) && ld use.o main.imp -e user -o user
//# @program check: readelf -sW $(dirname $OUT)/user | grep '50f000 .* ABS variable'
//# @program,pie look-at: main.imp
//# @program,pie header: type=REL segments=0
//# @program symbol: function value=0x40e006 size=1 type=FUNC bind=GLOBAL section=ABS
//# @program symbol: variable value=0x50f000 size=4 type=OBJECT bind=GLOBAL section=ABS
//# @pie symbol: function value=symbol(_start).value+6 section=ABS
//# @program,pie symbol: weak bind=WEAK section=ABS
//# @program,pie symbol: large size=8 type=OBJECT section=ABS
//# @program,pie no-symbol: local
//# @program,pie no-symbol: assigned
//# @program,pie no-symbol: _end
//# @program,stripped peers: ld
