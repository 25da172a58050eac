// A file of garbage is an error that names it.
//# sh: head -c 4096 /dev/zero | tr '\0' '\377' > garbage.o
//# link: -static garbage.o
//# expect-error: garbage\.o
.globl _start
_start: ret
