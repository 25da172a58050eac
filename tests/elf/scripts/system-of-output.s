# -m and OUTPUT_FORMAT of FreeBSD, and --oformat, set the system in the file header, with -r and for
# functions that the loader resolves too; a plain name does not take it back.
//# driver: ld
//# variant: machine: main.o -m elf_x86_64_fbsd
//# variant: other-name: main.o -m elf_amd64_fbsd -shared
//# variant: joined: main.o -m elf_x86_64_fbsd -r
//# variant: script: main.o -T freebsd.ld
//# variant: implicit: main.o freebsd.ld
//# variant: joined-script: main.o -r -T freebsd.ld
//# variant: option: main.o --oformat=elf64-x86-64-freebsd
//# variant: both: main.o -m elf_x86_64_fbsd -T plain.ld
//# variant: plain: main.o -T plain.ld -m elf_x86_64
//# variant: ifunc: main.o ifunc.o -m elf_x86_64_fbsd
//# variant: solaris: main.o -m elf_x86_64_sol2
//# archive: unused.a ifunc.o
//# @machine,other-name,joined,script,implicit,joined-script,option,both,ifunc header: osabi=9
//# @plain header: osabi=0
//# @solaris expect-error: elf_x86_64_sol2
//# @machine,other-name,joined,script,implicit,joined-script,both,plain,ifunc peers: lld
//# @option,solaris peers: none
.globl _start
_start: ret
.section .note.GNU-stack,""
//# file: ifunc.s
.globl f
.type f, @gnu_indirect_function
f: ret
.globl g
g: call f
.section .note.GNU-stack,""
//# file: freebsd.ld
OUTPUT_FORMAT("elf64-x86-64-freebsd", "elf64-x86-64-freebsd", "elf64-x86-64-freebsd")
//# file: plain.ld
OUTPUT_FORMAT(elf64-x86-64)
