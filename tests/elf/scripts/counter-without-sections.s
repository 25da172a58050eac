# Without SECTIONS the location counter is 0 for assignments, in scripts of any kind, in --defsym and
# with -r: they stand before all output sections (GNU ld).
//# driver: ld
//# variant: script: main.o -T counter.ld
//# variant: input: main.o counter.ld
//# variant: option: main.o --defsym=x=. --defsym=y=.+5
//# variant: joined: -r main.o counter.ld
//# peers: ld
//# symbol: x value=0
//# symbol: y value=5
.globl _start
_start: ret
//# file: counter.ld
x = .;
y = . + 5;
