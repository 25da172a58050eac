# Zeros of thread-local storage stand behind what has bytes: where a script inserts them before, they
# stand with the other zeros, with the symbols and gaps of their statement; where it lays them out
# so, it is told. GNU ld and lld give variables of both one place. Orphans stand so in any order of inputs.
//# driver: ld
//# variant: before: main.o more.o -T before.ld
//# variant: behind: main.o more.o -T behind.ld
//# variant: named: main.o -T named.ld
//# variant: data: main.o -T data.ld
//# variant: laid-out: main.o -T laid-out.ld
//# variant: unloaded: main.o more.o -T unloaded.ld
//# variant: orphans: zeros-of-z.o main.o more.o -T orphans.ld
//# variant: empty: zeros.o -T laid-out.ld
//# archive: unused.a more.o zeros.o zeros-of-z.o
//# @before,behind,named,data,orphans run: exit=42
//# @before,behind section: .zeros type=NOBITS flags=WAT address=section(.tdata).end+8
//# @named,data section: .tbss address=section(.tdata).end
//# @laid-out expect-error: section \.tbss has no bytes in the file and stands before \.tdata, which has
//# @unloaded expect-error: section \.zeros has no bytes in the file and stands before \.tdata, which has
//# @orphans segment: TLS memsz=64 filesz=16
//# @empty segment: TLS memsz=16 filesz=0
//# peers: none
.globl _start
_start:
  mov $42, %edi
  mov $own@tpoff, %rax
  mov $zero@tpoff, %rcx
  cmp %rcx, %rax
  jge 1f
  mov $60, %eax
  syscall
1: hlt
.section .tdata,"awT",@progbits
own: .quad 1
.section .tbss,"awT",@nobits
zero: .zero 16
.section .note.GNU-stack,""
//# file: more.s
.section more,"awT",@progbits
.quad 5
.section .tdata,"awT",@progbits
.section .note.GNU-stack,""
//# file: zeros.s
.globl _start
_start: ret
.section .tbss,"awT",@nobits
.zero 16
.section .note.GNU-stack,""
//# file: zeros-of-z.s
.section .tbss.z,"awT",@nobits
.zero 32
.section .note.GNU-stack,""
//# file: orphans.ld
SECTIONS { . = 0x10000; .text : { *(.text) } . = ALIGN(0x1000); .data : { *(.data) } .bss : { *(.bss) } }
//# file: before.ld
SECTIONS { .zeros : { first = .; *(.tbss) } } INSERT BEFORE .tdata;
//# file: behind.ld
SECTIONS { .zeros : { first = .; *(.tbss) } } INSERT AFTER .tdata;
//# file: named.ld
SECTIONS { .tbss : { *(.tbss) } } INSERT BEFORE .tdata;
//# file: data.ld
SECTIONS { .tbss (NOLOAD) : { QUAD(3) } } INSERT BEFORE .tdata;
//# file: laid-out.ld
SECTIONS { . = 0x10000; .text : { *(.text) } . = ALIGN(0x1000); .tbss : { *(.tbss) } .tdata : { *(.tdata) } }
//# file: unloaded.ld
SECTIONS { .zeros (NOLOAD) : { *(more) } } INSERT BEFORE .tdata;
