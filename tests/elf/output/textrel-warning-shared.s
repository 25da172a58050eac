# --warn-shared-textrel tells the places in libraries, also where -z notext allows them silently, and
# not in programs.
//# driver: ld
//# @library,allowed,silent,program lint-except: relocated-code its code needs it
//# variant: library: -shared --warn-shared-textrel
//# variant: allowed: -shared -z notext --warn-shared-textrel
//# variant: silent: -shared -z notext
//# variant: program: -pie -z notext --warn-shared-textrel
//# variant: refused: -shared -z text --warn-shared-textrel
//# link: main.o
//# @library,allowed warning: main\.o.*relocation against (symbol )?`value' in read-only section `\.text'
//# @library warning: DT_TEXTREL
//# @silent no-warning: .
//# @program no-warning: read-only section
//# @library,allowed,silent,program dynamic: TEXTREL
//# @refused expect-error: main\.o
//# @library,allowed,silent peers: ld
//# @program,refused peers:
.globl _start, value
_start: movabs $value, %rax
.data
value: .quad 1
.section .note.GNU-stack,"",@progbits
