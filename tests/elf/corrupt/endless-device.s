# A device that has no end is no input, however much memory there is.
//# driver: ld
//# link: /dev/zero
//# expect-error: cannot read /dev/zero: File too large
//# peers: none
        .globl  _start
_start: ret
