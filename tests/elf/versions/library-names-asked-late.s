// A library's functions are found by names that only an archive member brings, with a version and without,
// and by a version that objects ask for beside a plain name.
//# driver: ld
//# variant: plain: main.o libm.a libf.so
//# variant: versioned: main.o libv.a libf.so
//# variant: both: both.o libf.so
//# variant: before: libf.so main.o libm.a libv.a
//# requires: readelf
//# shared: libf.so f.o --version-script=f.ver --soname=libf.so
//# archive: libm.a m.o
//# archive: libv.a v.o
//# @plain dynsym: late section=UND type=FUNC version=@V2
//# @plain no-dynsym: old
//# @plain,versioned,both no-dynsym: unused
//# @versioned dynsym: old section=UND version=@V1
//# @versioned no-dynsym: late
//# @both dynsym: old section=UND version=@V1
//# @both dynsym: late section=UND version=@V2
//# @before dynsym: late section=UND version=@V2
//# check: ! readelf -Ws --dyn-syms $OUT | grep -q 'UND.*unused'
.globl _start
_start:
call member
//# file: m.s
.globl member
member: jmp late@PLT
//# file: v.s
.symver older, old@V1
.globl member
member: jmp older@PLT
//# file: both.s
.symver older, old@V1
.globl _start
_start:
call older@PLT
call late@PLT
//# file: f.s
.irp name, late, old, unused
.globl \name
.type \name, @function
\name: ret
.endr
//# file: f.ver
V1 { global: old; };
V2 { global: late; unused; local: *; } V1;
