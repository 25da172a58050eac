// Names at the front of a version are global without saying so, also if local ones follow, as with
// lld; GNU ld takes them only where none follow.
//# peers: lld
//# variant: all: --version-script=all.ver
//# variant: one: --version-script=one.ver
//# variant: nameless: --version-script=nameless.ver
//# link: -shared
//# @all,one dynsym: api@@V
//# @nameless dynsym: api
//# no-dynsym: other
.globl api, other
api: ret
other: ret
.section .note.GNU-stack,"",@progbits
//# file: all.ver
V { a*; local: *; };
//# file: one.ver
V { api; local: other; };
//# file: nameless.ver
{ api; local: other; };
