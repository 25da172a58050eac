# What objects say of their calls is joined, and must fit.
//# driver: ld
//# variant: joined: main.o other.o
//# variant: conflict: main.o soft.o
//# link: -e _start
//# @joined section: .gnu.attributes
//# @joined bytes: .gnu.attributes = 41 00 00 00 13 67 6e 75 00 01 00 00 00 0b 04 05 08 02 0c 02
//# @conflict expect-error: main.o and soft.o: .gnu.attributes: floating point is 'double precision' in one and 'soft float' in the other|uses hard float
//# peers: ld
.gnu_attribute 4, 1
.gnu_attribute 8, 1
.globl _start
_start: blr
//# file: other.s
.gnu_attribute 4, 5
.gnu_attribute 8, 2
.gnu_attribute 12, 2
//# file: soft.s
.gnu_attribute 4, 2
