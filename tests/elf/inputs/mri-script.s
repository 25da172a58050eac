// A script of -c names inputs, output, entry point and symbols; what lays the output out is refused.
//# driver: ld
//# peers: ld
//# archive: liby.a y.o
//# variant: load: -c load.mri
//# @load run: exit=42
//# @load symbol: x value=40
//# variant: position: -c other.mri one.o two.o -z muldefs
//# @position symbol: where value=3
//# variant: start: main.o -c start.mri
//# @start header: entry=symbol(other).value
//# variant: entry: main.o -c start.mri -e _start
//# @entry header: entry=symbol(_start).value
//# sh: $LD main.o y.o --defsym=x=0 -c records.mri && head -c 2 named | grep S0 && $LD main.o y.o --defsym=x=0 -c records.mri -o given && grep -q S0 given
//# variant: list: main.o y.o --defsym=x=0 -c list.mri
//# @list stdout: main\.o
//# variant: sect: main.o y.o -c sect.mri
//# @sect peers: none
//# @sect expect-error: sect\.mri:3: SECT is not supported yet
//# variant: unknown: main.o y.o -c unknown.mri
//# @unknown peers: none
//# @unknown expect-error: unknown\.mri:1: unknown command FROBNICATE
//# variant: public: main.o y.o -c public.mri
//# @public peers: none
//# @public error-text: ld: error: public.mri:2: PUBLIC x:1: expected expression, found end of file
//# @public error-text: >>> 2 +
//# @public error-text: >>>    ^
.globl _start, other
_start:
movl $x, %edi
addl y(%rip), %edi
movl $60, %eax
syscall
other: ret
//# file: y.s
.globl y
.data
y: .long 2
//# file: one.s
.globl where
where = 1
//# file: two.s
.globl where
where = 2
//# file: three.s
.globl where
where = 3
//# file: load.mri
* The whole link.
CHIP 68000
load main.o , liby.a ; members as they are needed
PUBLIC x = 20 + 20
END
//# file: other.mri
LOAD three.o
//# file: start.mri
START other
LOAD y.o
PUBLIC x 1
//# file: records.mri
NAME named
FORMAT S
//# file: list.mri
LIST
//# file: sect.mri
* Addresses.

SECT .text, 0x1000
//# file: unknown.mri
FROBNICATE 1
//# file: public.mri
* where x is
PUBLIC x = 2 +
