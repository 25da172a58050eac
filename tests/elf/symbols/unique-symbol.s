// -z unique-symbol: local symbols get numbers, so that equal names differ.
//# file: a.s
.globl _start
_start: nop
same: nop
alone: nop
.hidden hidden
.globl hidden
hidden: nop
//# file: b.s
.text
same: nop
//# variant: on: -z unique-symbol
//# variant: off: -z unique-symbol -z nounique-symbol
//# variant: relocatable: -r -z unique-symbol
//# link: a.o b.o
//# @on,relocatable symbol: same.0 bind=LOCAL
//# @on,relocatable symbol: same.1 bind=LOCAL
//# @on,relocatable symbol: alone.0 bind=LOCAL
//# @on,relocatable no-symbol: same
//# @on symbol: hidden
//# symbol: _start bind=GLOBAL
//# @off symbol: same count=2
//# peers: ld
