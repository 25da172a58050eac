// A library's reference to a version is only satisfied by this version, and one without a version by
// nothing that is hidden behind a version, in libraries and objects.
//# driver: ld
//# shared: libnew.so v7.o -soname libv.so --version-script=v.map
//# shared: libold.so v1.o -soname libv.so --version-script=v.map
//# shared: libplain.so api.o -soname libv.so
//# shared: libhidden.so v7hidden.o -soname libv.so --version-script=v.map
//# shared: libbase.so base.o -soname libv.so --version-script=v.map
//# shared: libnone.so none.o -soname libv.so
//# shared: libuser.so user.o
//# shared: libuser7.so user.o libnew.so
//# variant: same: main.o libuser7.so libnew.so
//# variant: hidden-same: main.o libuser7.so libhidden.so
//# variant: object-hidden: -E main.o libuser7.so libnone.so v7hidden.o
//# variant: both: main.o libuser7.so libhidden.so api.o
//# variant: other: main.o libuser7.so libold.so
//# variant: unversioned: main.o libuser7.so libplain.so
//# variant: object: main.o libuser7.so libnone.so api.o
//# variant: plain-default: main.o libuser.so libnew.so
//# variant: plain-hidden: main.o libuser.so libhidden.so
//# variant: plain-hidden-base: main.o libuser.so libbase.so
//# @other,unversioned,object expect-error: undefined (symbol|reference).*api@V7
//# @plain-hidden,plain-hidden-base expect-error: undefined (symbol|reference).*api
//# @object-hidden dynsym: api@V7
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
//# file: user.s
.globl use
use: jmp api@PLT
.section .note.GNU-stack,"",@progbits
//# file: api.s
.globl api
.type api, @function
api: ret
.section .note.GNU-stack,"",@progbits
//# file: v7.s
.globl impl
.type impl, @function
.symver impl, api@@V7
impl: ret
.section .note.GNU-stack,"",@progbits
//# file: v7hidden.s
.globl impl
.type impl, @function
.symver impl, api@V7
impl: ret
.section .note.GNU-stack,"",@progbits
//# file: v1.s
.globl impl
.type impl, @function
.symver impl, api@@V1
impl: ret
.section .note.GNU-stack,"",@progbits
//# file: base.s
.globl impl
.type impl, @function
.symver impl, api@
impl: ret
.section .note.GNU-stack,"",@progbits
//# file: none.s
.section .note.GNU-stack,"",@progbits
//# file: v.map
V1 { }; V7 { };
