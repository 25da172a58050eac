// Large sections, and sections of many relocations, are joined whole.
//# peers: ld lld
//# link: -r main.o other.o
//# check: objcopy -O binary --only-section=.data main.o a && objcopy -O binary --only-section=.data other.o b && cat a b > expected && objcopy -O binary --only-section=.data $OUT joined && cmp expected joined
//# check: test $(readelf -rW $OUT | grep -c 'R_X86_64_64 .*here') = 60000
//# check: readelf -rW $OUT | grep '^0*752f8 .*R_X86_64_64 .*here + ea5f'
.globl here
here: ret
.p2align 2
.data
.set count, 0
.rept 60000
.quad here + count
.set count, count + 1
.endr
.rept 60000
.long count * 0x01234567
.set count, count + 3
.endr
//# file: other.s
.data
.set count, 0
.rept 200000
.long count * 0x089abcdf
.set count, count + 1
.endr
