// OUTPUT names the output unless -o does, and OUTPUT_FORMAT(binary) makes one without headers.
//# machines: x86-64 aarch64 aarch64_be i386 x32 arm riscv64 m68k sh4 s390x ppc64le sparc64 ppc64 loongarch64 the entry is called _start
//# driver: ld
//# sh: $LD main.o name.txt && readelf -h named | grep -q EXEC && rm named
//# sh: $LD -T name.txt main.o && readelf -h named | grep -q EXEC && rm named
//# sh: $LD main.o name.txt -o other && test -e other -a ! -e named
//# sh: $LD main.o flat.txt -o flat && cmp -n 4 flat text
//# sh: $LD main.o flat.txt --oformat=elf -o flat && readelf -h flat | grep -q EXEC
//# sh: $LD --oformat=default -T flat.txt main.o -o flat && readelf -h flat | grep -q EXEC
//# sh: ! $LD main.o strange.txt -o never 2>messages && grep -q 'unknown output format name: strange' messages
//# link: main.o
//# peers:
.globl _start
_start: .ascii "text"
.section .note.GNU-stack,"",@progbits
//# file: name.txt
OUTPUT(named)
//# file: flat.txt
OUTPUT_FORMAT(binary)
//# file: strange.txt
OUTPUT_FORMAT(strange)
//# file: text
text
