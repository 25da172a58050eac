! The output is for the processors that run the code of all objects.
//# driver: ld
//# variant: joined: main.o fpu.o
//# variant: conflict: fpu.o dsp.o
//# link: -e 0
//# @joined header: flags=9
//# @conflict expect-error: fpu.o has SH4 and dsp.o has SH-DSP|dsp|floating point
//# @joined peers: ld
//# @conflict peers: ld
.globl _start
_start: nop
//# file: fpu.s -Wa,-isa=sh4
f: fsca fpul, dr0
//# file: dsp.s -Wa,-isa=dsp
g: movs.w @r4, a0
