# A symbol that is assigned an expression with one symbol has the type and visibility of that.
//# driver: ld
//# link: main.o -z noexecstack -shared -T layout.ld
//# symbol: inside type=FUNC vis=PROTECTED
//# symbol: alias type=FUNC vis=PROTECTED
//# symbol: both type=NOTYPE vis=DEFAULT
//# lint-except: writable-code the script puts all into one segment
//# peers: ld
.globl inside
.protected inside
.type inside,@function
.text
inside: ret
//# file: layout.ld
SECTIONS { .text : { *(.text) } alias = inside + 0; both = inside + inside; }
