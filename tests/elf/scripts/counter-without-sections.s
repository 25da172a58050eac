# Without SECTIONS the location counter is 0 for assignments, in scripts of any kind, in --defsym and
# with -r, until one moves it: they stand before all output sections (GNU ld).
//# driver: ld
//# variant: script: main.o -T counter.ld
//# variant: input: main.o counter.ld
//# variant: option: main.o --defsym=x=. --defsym=y=.+5
//# variant: joined: -r main.o counter.ld
//# variant: moved: main.o moved.ld
//# variant: joined-moved: -r main.o moved.ld
//# @moved,joined-moved symbol: z value=0x104
//# @moved,joined-moved symbol: w value=0x10c
//# @moved no-symbol: .
//# variant: unknown: main.o unknown.ld
//# @unknown expect-error: unknown\.ld:2: the location counter '\.' has no value here
//# @unknown peers: none
//# peers: ld
//# @script,input,option,joined symbol: x value=0
//# @script,input,option,joined symbol: y value=5
.globl _start
_start: ret
//# file: counter.ld
x = .;
y = . + 5;
//# file: moved.ld
. = 0x100;
z = . + 4;
. += 8;
. = . + 4;
w = .;
//# file: unknown.ld
. = _start;
x = .;
