# Big-endian code of the newer ABI has no descriptors, and is refused.
//# driver: ld
//# link: -e _start
//# expect-error: main.o has the ELFv2 ABI, and big-endian programs are linked with the ELFv1 ABI
//# peers: none
.abiversion 2
.globl _start
_start: blr
