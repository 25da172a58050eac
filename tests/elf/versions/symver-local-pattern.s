// A local: pattern of the version that a symbol has by its name hides it, one of another version
// does not, and a global: pattern beside it is stronger.
//# link: -shared main.o --version-script=v.map
//# no-dynsym: foo1
//# dynsym: foo2@V2
//# dynsym: foo3@V1
.macro versioned name, as
.globl \name
.type \name, @function
.symver \name, \as
\name: ret
.endm
versioned a, foo1@V1
versioned b, foo2@V2
versioned c, foo3@V1
.section .note.GNU-stack,"",@progbits
//# file: v.map
V1 { global: fo*3; local: foo*; a; b; c; };
V2 { };
