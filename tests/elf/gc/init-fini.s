// What the loader calls first and last is kept: _init and _fini, or what -init and -fini name.
//# peers: lld
//# variant: default: -shared --gc-sections
//# variant: named: -shared --gc-sections -init=begin -fini=end
//# variant: joined: -r --gc-sections -e start -init=begin -fini=end
//# @default dynamic: INIT value=symbol(_init).value
//# @default dynamic: FINI value=symbol(_fini).value
//# @default no-symbol: begin
//# @named dynamic: INIT value=symbol(begin).value
//# @named dynamic: FINI value=symbol(end).value
//# @named no-symbol: _init
//# @joined symbol: begin
//# @joined symbol: end
.section .text.start,"ax",@progbits
.globl start
start: ret
.section .text._init,"ax",@progbits
.globl _init
.hidden _init
_init: ret
.section .text._fini,"ax",@progbits
.globl _fini
.hidden _fini
_fini: ret
.section .text.begin,"ax",@progbits
.globl begin
.hidden begin
begin: ret
.section .text.end,"ax",@progbits
.globl end
.hidden end
end: ret
.section .note.GNU-stack,"",@progbits
