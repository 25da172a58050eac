// --start-stop: bounds of every section, called after what is left of its name.
//# variant: on: --start-stop
//# variant: off:
//# @on word64: symbol(words).value = section(.text).address
//# @on word64: symbol(words).value+8 = section(.text).end
//# @on word64: symbol(words).value+16 = section(.my-own).address
//# @on word64: symbol(words).value+24 = section(.my-own).end
//# @on symbol: __start_other value=section(.other).address
//# @off expect-error: undefined.*__start_text
//# peers:
.globl _start, words
.text
_start: ret
.section .my-own,"aw"
.quad 1
.section .other,"a"
.quad 1
.data
words: .quad __start_text, __stop_text, __start_my_own, __stop_my_own
