// A script may give a symbol a version by assigning to a name that has it.
//# link: -shared main.o names.t --version-script=v.map
//# dynsym: foo@VERS.1 bind=GLOBAL
//# no-dynsym: foo@@VERS.1
//# version: VERS.1 kind=def
//# peers: ld
.globl foo
.type foo, @function
foo: ret
.section .note.GNU-stack,"",@progbits
//# file: names.t
"foo@VERS.1" = foo;
//# file: v.map
VERS.1 { global: foo; };
