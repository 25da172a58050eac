# --gc-keep-exported keeps what an executable could export, whether it does or not: all that is neither
# hidden nor local nor made so by a version script.
//# driver: ld
//# variant: static: -static
//# variant: pie: -pie
//# variant: listed: -pie --version-script=v.map
//# variant: relocatable: -r
//# link: --gc-sections --gc-keep-exported main.o
//# symbol: shown bind=GLOBAL
//# @static,pie,relocatable symbol: guarded
//# @static,pie,relocatable symbol: data
//# @listed no-symbol: guarded
//# @listed no-symbol: data
//# no-symbol: hidden
//# no-symbol: unused
//# peers: ld
.text
.globl _start
_start: ret
.section .text.shown,"ax"
.globl shown
shown: ret
.section .text.guarded,"ax"
.globl guarded
.protected guarded
guarded: ret
.section .text.hidden,"ax"
.globl hidden
.hidden hidden
hidden: ret
.section .text.unused,"ax"
unused: ret
.section .data.data,"aw"
.globl data
data: .quad 1
.section .note.GNU-stack,"",@progbits
//# file: v.map
{ global: shown; local: *; };
