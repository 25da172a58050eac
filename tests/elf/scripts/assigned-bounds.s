# A bound of a section that a script assigns is a symbol like any other: it has the script's value and
# default visibility, and keeps no section. The other bound is the linker's.
//# driver: ld
//# link: main.o -z noexecstack -T layout.ld -e _start
//# variant: all:
//# variant: collected: --gc-sections
//# @all symbol: __start_set vis=DEFAULT value=section(set).address+4
//# symbol: __stop_other vis=PROTECTED value=section(other).end
//# @collected no-section: set
//# @collected symbol: __start_set vis=DEFAULT
//# lint-except: writable-code the script puts all into one segment
//# peers: ld
.globl _start
_start:
    lea __start_set(%rip), %rax
    lea __stop_other(%rip), %rax
.section set,"aw"
.quad 1
.section other,"aw"
.quad 1
//# file: layout.ld
SECTIONS { .text : { *(.text) } set : { __start_set = . + 4; *(set) } other : { *(other) } }
