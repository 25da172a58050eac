# Attributes of all objects are joined: extensions in their order, the later of two versions.
//# driver: ld
//# link: -e _start main.o more.o
//# check: readelf -A $OUT | grep -q 'rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0_zmmul1p0_zba1p0"'
//# check: readelf -A $OUT | grep -q 'unaligned'
//# check: readelf -lW $OUT | grep -q 'RISCV_ATTRIBUT.* 0x000000 R'
//# peers: ld
.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
.attribute stack_align, 16
.globl _start
_start: ret
//# file: more.s
.attribute arch, "rv64i2p0_m2p0_a2p0_f2p0_d2p0_c2p0_zba1p0_zmmul1p0"
.attribute stack_align, 16
.attribute unaligned_access, 1
f: ret
