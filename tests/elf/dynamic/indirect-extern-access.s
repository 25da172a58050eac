// -z indirect-extern-access: objects use the GOT for what others define, so nothing is copied.
//# file: lib.s
.globl data
.data
.type data, @object
.size data, 4
data: .long 1
//# file: main.s
.globl _start
_start: mov data(%rip), %eax
//# shared: liba.so lib.o
//# variant: marked: -shared lib.o -z indirect-extern-access
//# variant: unmarked: -shared lib.o -z indirect-extern-access -z noindirect-extern-access
//# variant: copies: main.o liba.so -z indirect-extern-access
//# @marked check: readelf -nW $OUT | grep 'indirect external access'
//# @unmarked no-section: .note.gnu.property
//# @copies expect-error: data
//# peers: ld
