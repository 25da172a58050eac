// An option may call foo@@V1 by each of its names, in a file of the command line, in an archive, and
// in a library. --wrap of a name with a version is of that name, and not of what it is the default of.
//# driver: ld
//# archive: libfoo.a foo.o
//# shared: libfoo.so foo.o --version-script=v.map
//# variant: entry: main.o foo.o -e foo@V1
//# variant: entry-default: main.o foo.o -e foo@@V1
//# variant: entry-spelled: main.o versioned.o foo.o -e foo@V1
//# variant: entry-archive: main.o libfoo.a -e foo@V1
//# variant: undefined: main.o libfoo.a -u foo@V1
//# variant: undefined-default: main.o libfoo.a -u foo@@V1 --gc-sections
//# variant: required: main.o libfoo.a --require-defined=foo@V1
//# variant: required-library: main.o libfoo.so --require-defined=foo@V1
//# variant: required-other: main.o libfoo.a --require-defined=foo@V2
//# variant: traced: main.o foo.o --trace-symbol=foo@V1
//# variant: traced-library: main.o versioned.o libfoo.so --trace-symbol=foo@V1 --trace-symbol=foo@@V1
//# variant: assigned: main.o foo.o --defsym foo=_start -e foo@V1
//# variant: wrapped: main.o versioned.o foo.o wrapper.o --wrap=foo@V1
//# @entry,entry-default,entry-spelled,entry-archive header: entry=symbol(bar).value
//# @assigned header: entry=symbol(_start).value
//# @undefined,undefined-default,required symbol: bar
//# @undefined,undefined-default,required no-symbol: section=UND
//# @required-other expect-error: foo@V2
//# @traced says: foo.o: definition of foo@V1
//# @traced no-says: definition of foo$
//# @traced-library says: ^[^ ]*(ld: )?versioned.o: reference to foo@V1$
//# @traced-library says: libfoo.so: definition of foo@V1$
//# @traced-library says: libfoo.so: definition of foo@@V1$
//# @wrapped disasm: caller call [0-9a-f]+ <(wrapper|__wrap_foo@V1)>
//# peers: ld
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
//# file: foo.s
.section .text.bar,"ax",@progbits
nop
.globl bar
.type bar, @function
.symver bar, foo@@V1
bar: ret
.section .note.GNU-stack,"",@progbits
//# file: versioned.s
.symver foo, foo@V1
.globl caller
caller: call foo
  ret
.section .note.GNU-stack,"",@progbits
//# file: wrapper.s
.globl wrapper
.symver wrapper, __wrap_foo@V1
wrapper: ret
.section .note.GNU-stack,"",@progbits
//# file: v.map
V1 { global: foo; local: *; };
