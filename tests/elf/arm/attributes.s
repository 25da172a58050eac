// The attributes of all objects are joined, and say in the header where arguments are.
//# driver: ld
//# link: -e _start main.o other.o
//# check: readelf -h $OUT | grep -q '0x5000400, Version5 EABI, hard-float ABI'
//# check: readelf -A $OUT | grep -q 'Tag_CPU_arch: v7'
//# check: readelf -A $OUT | grep -q 'Tag_CPU_arch_profile: Application'
//# check: readelf -A $OUT | grep -q 'Tag_FP_arch: VFPv3'
//# peers: ld
.arch armv5te
.eabi_attribute Tag_FP_arch, 3
.eabi_attribute Tag_ABI_VFP_args, 1
.eabi_attribute Tag_ABI_FP_number_model, 3
.globl _start
_start: bx lr
//# file: other.s
.arch armv7-a
.eabi_attribute Tag_FP_arch, 4
f: bx lr
