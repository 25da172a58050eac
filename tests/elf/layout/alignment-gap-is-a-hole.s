# The gap before a section with a great alignment takes no room on the disk, also when an old output
# is written over, and reads as zeros.
//# driver: ld
//# link: -static --build-id
//# sh: head -c 2000000 /dev/zero | tr '\0' 'x' > $OUT
//# check: test $(stat -c %b $OUT) -lt 2000
//# check: ! grep -q xxxx $OUT
//# section: .data address%0x40000000
        .globl  _start
_start: ret
        .data
        .balign 0x40000000
        .quad   1
