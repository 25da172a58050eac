# All inputs may come from the script of -T, as Free Pascal's compiler links: INPUT, GROUP and
# STARTUP, also behind INCLUDE; a link without any is an error.
//# driver: ld
//# variant: input: -T input.ld
//# variant: group: -T group.ld -e _start
//# variant: startup: -T startup.ld
//# variant: pascal: -b elf64-x86-64 -m elf_x86_64 -s -L. -T pascal.ld -e _start
//# variant: included: -T included.ld
//# variant: default: -dT input.ld
//# variant: none: -T none.ld
//# variant: missing: -T missing.ld
//# sh: mkdir -p dir && cp dir.ld dir/input.ld && ar rc libf.a f.o
//# @input,group,startup,pascal,included,default run:
//# @pascal section: .fpc size=4
//# @pascal section: .threadvar type=NOBITS
//# @none expect-error: no input files
//# @missing expect-error: cannot (find|open) .*nowhere\.o
//# @missing no-error: no input files
//# @none,input,group,startup,included,missing,pascal,default peers: ld
.globl _start
_start:
    call f
    movl $60, %eax
    xorl %edi, %edi
    syscall
.section .fpc.n_version,"aw"
.long 1
.section .threadvar.x,"aw",@nobits
.skip 8
.section .note.GNU-stack,""
//# file: f.s
.globl f
f: ret
.section .note.GNU-stack,""
//# file: input.ld
INPUT(main.o f.o)
SECTIONS { . = 0x10000; .text : { *(.text) } . = ALIGN(0x1000); .data : { *(.data .fpc* .threadvar*) } }
//# file: group.ld
GROUP(main.o libf.a)
SECTIONS { . = 0x10000; .text : { *(.text) } . = ALIGN(0x1000); .data : { *(.data .fpc* .threadvar*) } }
//# file: startup.ld
STARTUP(main.o)
INPUT(f.o)
SECTIONS { . = 0x10000; .text : { *(.text) } . = ALIGN(0x1000); .data : { *(.data .fpc* .threadvar*) } }
//# file: pascal.ld
SEARCH_DIR("./")
SEARCH_DIR("/lib/")
INPUT(
main.o
f.o
)
INPUT(
-lf
)
SECTIONS
{
  .fpc            :
  {
    KEEP (*(.fpc .fpc.n_version .fpc.n_links))
  }
  .threadvar : { *(.threadvar .threadvar.* .gnu.linkonce.tv.*) }
}
INSERT AFTER .data;
//# file: included.ld
INCLUDE "dir/input.ld"
SECTIONS { . = 0x10000; .text : { *(.text) } . = ALIGN(0x1000); .data : { *(.data .fpc* .threadvar*) } }
//# file: dir.ld
INPUT(main.o f.o)
//# file: none.ld
SECTIONS { .text : { *(.text) } }
//# file: missing.ld
INPUT(nowhere.o)
