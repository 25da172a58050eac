// Writing to /dev/null leaves it a device.
//# link: -static
//# sh: "$LD" main.o -static -o /dev/null; test -c /dev/null
//# peers: lld
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
