# -x drops the symbols that are local in objects, and not those that the link makes local.
//# driver: ld
//# variant: shared: -shared
//# variant: pie: -pie
//# variant: script: -shared --version-script=v.map
//# link: -x main.o
//# symbol: hidden bind=LOCAL
//# @shared,pie symbol: shown bind=GLOBAL
//# @script symbol: shown bind=LOCAL
//# no-symbol: own
//# no-dynsym: hidden
.include "machine.inc"
.globl _start, hidden, shown
.hidden hidden
_start:
  calls hidden
  calls own
hidden: ret
own: ret
shown: ret
.section .note.GNU-stack,"",@progbits
//# file: v.map
{ global: _start; local: *; };
