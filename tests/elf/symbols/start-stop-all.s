// --start-stop: bounds of every section, called after what is left of its name.
//# variant: on: --start-stop
//# variant: off:
//# @on word: symbol(words).value = section(.text).address
//# @on word: symbol(words).value+1word = section(.text).end
//# @on word: symbol(words).value+2words = section(.my-own).address
//# @on word: symbol(words).value+3words = section(.my-own).end
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
words: .dc.a __start_text, __stop_text, __start_my_own, __stop_my_own
