// Fields of one byte, the size of a symbol and R_386_NONE.
//# link: -static --defsym=low=-128 --defsym=high=127 --defsym=distance=0x8049000 --section-start=.fields=0x8048ff0
//# bytes: section(.fields).address = 80 7f 0e
//# bytes: section(.fields).address+3 = 18 00 00 00 1c 00 00 00
//# peers: ld
.globl _start
_start: ret
.section .fields,"a",@progbits
.byte low, high
.byte distance - .
.long object@SIZE, object@SIZE+4
.reloc ., R_386_NONE, object
.data
.type object, @object
.globl object
object: .zero 24
.size object, 24
.section .note.GNU-stack,"",@progbits
