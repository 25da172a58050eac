// A program's `f@@V1` is what a library means that refers to `f@V1`, which another library defines,
// too: it is exported. (lld does so where a version script names the version.)
//# variant: bare:
//# variant: script: --version-script prog.map
//# variant: hidden: | -Wa,--defsym,HIDDEN=1
//# shared: libdef.so def.o --version-script def.map
//# shared: libuse.so use.o libdef.so
//# link: main.o libuse.so libdef.so
//# peers: ld
//# @bare,script dynsym: f@@V1
//# @hidden dynsym: f@V1
.globl _start, own
_start: nop
.type own, @function
.ifdef HIDDEN
.symver own, f@V1
.else
.symver own, f@@V1
.endif
own: ret
.section .note.GNU-stack,"",@progbits
//# file: use.s
.globl use
.symver of_version, f@V1
use: mov of_version@GOTPCREL(%rip), %rax
ret
.section .note.GNU-stack,"",@progbits
//# file: def.s
.globl def
.type def, @function
.symver def, f@V1
def: ret
.section .note.GNU-stack,"",@progbits
//# file: def.map
V1 { global: use; };
//# file: prog.map
V1 { global: f; local: *; };
