// A shared library may have undefined symbols, of which --noinhibit-exec has nothing to say.
//# peers: ld lld
//# link: -shared --noinhibit-exec
//# no-warning: missing
//# dynsym: missing section=UND
.include "machine.inc"
.globl f
f: calls missing
