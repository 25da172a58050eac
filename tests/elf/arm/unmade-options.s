// Options that would have an effect are refused for ARM; builds for other machines pass them to no
// effect.
//# driver: ld
//# variant: erratum: --fix-cortex-a8
//# variant: gateways: --cmse-implib
//# variant: library: --in-implib=old.o
//# variant: taken-back: --fix-cortex-a8 --no-fix-cortex-a8
//# link: main.o -e _start
//# @erratum expect-error: --fix-cortex-a8 is not supported yet for armelf_linux_eabi
//# @gateways expect-error: --cmse-implib is not supported yet for armelf_linux_eabi
//# @library expect-error: --in-implib is not supported yet for armelf_linux_eabi
//# @taken-back symbol: _start
//# peers: none
.globl _start
_start: bx lr
