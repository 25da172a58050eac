# -r joins attributes and flags, and takes no code away; what is linked from it is as from the objects.
//# driver: ld
//# relocatable: both.o main.o more.o
//# link: both.o -e _start
//# check: readelf -A both.o | grep -q 'zba1p0"'
//# check: readelf -hW both.o | grep -q 'RVC, double-float ABI'
//# check: objdump -d both.o | grep -q auipc
//# run: exit=6
//# peers: ld lld
.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
.globl _start
_start:
  li a0, 1
  call more
  li a7, 93
  ecall
//# file: more.s
.attribute arch, "rv64i2p1_f2p2_d2p2_c2p0_zba1p0"
.globl more
more: addi a0, a0, 5
  ret
