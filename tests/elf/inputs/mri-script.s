// A script of -c names inputs, output, entry point and symbols, and lays the output out.
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
//# variant: continued: main.o y.o -c continued.mri
//# @continued symbol: x value=42
//# @continued symbol: z value=1
//# @continued stdout: main\.o
//# variant: list: main.o y.o --defsym=x=0 -c list.mri
//# @list stdout: main\.o
//# variant: sect: main.o -c sect.mri --defsym=x=0 -z noexecstack
//# @sect peers: none
//# @sect section: .data address=0x0 size=10 align=256
//# @sect section: .text address=0x9000
//# @sect section: .other address=0x8000
//# variant: base: main.o y.o -c base.mri --defsym=x=0
//# @base peers: none
//# @base section: .text address=0x2000
//# @base section: .data type=NOBITS
//# @base lint-except: nobits-in-file GNU ld has a file image behind it, too
//# @base lint-except: writable-code the script asks for one segment
//# variant: alias: main.o -c alias.mri
//# @alias peers: none
//# @alias expect-error: alias\.mri:1: expression:1: expected expression, found end of file
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
.section .more,"aw"
.zero 6
.section .other,"aw"
.long 4
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

SECT .other,$8000
SECT .text=36864
ORDER .data,.text
ALIGN .data=256
ALIAS .data,.more
LOAD y.o
//# file: base.mri
BASE 4096 + 4096
ORDER .text .data
ABSOLUTE .text
//# file: alias.mri
SECT .text = 2 +
//# file: unknown.mri
FROBNICATE 1
//# file: continued.mri
LIST # of what is linked
PUBLIC x = 2 + # goes on
# and on
  40
# a comment before a command
public z=1
//# file: public.mri
* where x is
PUBLIC x = 2 +
