// What is wrong with a command of a script is told with its line, also where it is found late.
//# driver: ld
//# variant: arch: main.o arch.t
//# variant: format: main.o format.t
//# variant: both: main.o both.t -r
//# variant: common: main.o common.t
//# variant: assert: main.o assert.t
//# variant: part: -r main.o assert.t
//# variant: include: main.o include.t
//# @arch expect-error: arch.t:3: .*cannot represent machine 'avr'
//# @format expect-error: format.t:2: .*unknown output format name: elf32-none
//# @both expect-error: both.t:2: OUTPUT_FORMAT\(binary\) and -r
//# @common expect-error: common.t:2: INHIBIT_COMMON_ALLOCATION
//# @assert,part expect-error: assert.t:3: one is not two$
//# @include expect-error: include.t:2: cannot find linker script none.t
//# peers: none
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
//# file: arch.t
/* The machine
   is another. */
OUTPUT_ARCH(avr)
//# file: format.t
ENTRY(_start)
OUTPUT_FORMAT(elf32-none)
//# file: both.t

OUTPUT_FORMAT(binary)
//# file: common.t

INHIBIT_COMMON_ALLOCATION
//# file: assert.t
ENTRY(_start)
one = 1;
ASSERT(one == 2,
       "one is not two")
//# file: include.t

INCLUDE none.t
