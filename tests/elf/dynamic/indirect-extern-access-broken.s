// An object's promise that external symbols are reached by the GOT alone (-mno-direct-extern-access)
// holds for the output, unless a copy relocation or an address in the PLT breaks it, or
// -z noindirect-extern-access takes it back.
//# file: lib.s
.globl data, function
.data
.type data, @object
.size data, 4
data: .long 1
.text
.type function, @function
function: ret
.section .note.GNU-stack,"",@progbits
//# file: promise.s
.globl _start
_start: mov data@GOTPCREL(%rip), %rax
.section .note.gnu.property,"a"
.balign 8
.long 4, 16, 5
.asciz "GNU"
.long 0xb0008000, 4, 1, 0
.section .note.GNU-stack,"",@progbits
//# file: copying.s
  mov data(%rip), %eax
.section .note.GNU-stack,"",@progbits
//# file: comparing.s
  mov $function, %eax
.section .note.GNU-stack,"",@progbits
//# file: calling.s
  call function@PLT
.section .note.GNU-stack,"",@progbits
//# shared: liba.so lib.o
//# variant: kept: promise.o calling.o liba.so
//# variant: copied: copying.o promise.o liba.so
//# variant: canonical: comparing.o promise.o liba.so
//# variant: withdrawn: promise.o liba.so -z noindirect-extern-access
//# variant: relocatable: -r promise.o
//# variant: relocatable-withdrawn: -r promise.o -z noindirect-extern-access
//# @kept,relocatable check: readelf -nW $OUT | grep 'indirect external access'
//# @copied,canonical,withdrawn,relocatable-withdrawn check: ! readelf -nW $OUT | grep 'indirect external access'
//# @copied reloc: R_X86_64_COPY symbol=data
//# @canonical dynsym: function value>0 section=UND
//# peers: ld
