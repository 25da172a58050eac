// A member that only a file after its archive needs is told of; not one that the archive's own
// group or an earlier file needs, a weak one, or one that a later input offers again.
//# driver: ld
//# cc: clang-19
//# peers: lld
//# archive: libdef.a def.o
//# archive: libweak.a weak.o
//# archive: libother.a def.o other.o
//# variant: behind: -shared libdef.a ref.o --warn-backrefs
//# @behind warning: backward reference detected: def in ref.o refers to libdef.a\(def.o\)
//# variant: lib: -shared --start-lib def.o --end-lib ref.o --warn-backrefs
//# @lib warning: backward reference detected: def in ref.o refers to def.o
//# variant: indirect: -shared libdef.a --undefined=through --start-lib through.o --end-lib --warn-backrefs
//# @indirect warning: backward reference detected: def in through.o refers to libdef.a\(def.o\)
//# variant: relocatable: -r libdef.a ref.o --warn-backrefs
//# @relocatable warning: backward reference detected: def in ref.o refers to libdef.a\(def.o\)
//# variant: weak: -shared libweak.a ref.o --warn-backrefs
//# variant: before: -shared ref.o libdef.a ref.o -z muldefs --warn-backrefs
//# variant: group: -shared --start-group libdef.a ref.o --end-group --warn-backrefs
//# variant: again: -shared libdef.a ref.o libdef.a --warn-backrefs
//# variant: sandwich: -shared libdef.a ref.o libother.a --warn-backrefs
//# variant: excluded: -shared libdef.a ref.o --warn-backrefs --warn-backrefs-exclude=*def.a(*.o)
//# variant: asked: -shared -u def libdef.a ref.o --warn-backrefs
//# variant: off: -shared libdef.a ref.o --warn-backrefs --no-warn-backrefs
//# @weak,before,group,again,sandwich,excluded,asked,off no-warning: backward
//# symbol: def
//# file: ref.s
.data
.dc.a def
//# file: through.s
.globl through
.data
through: .dc.a def
//# file: def.s
.globl def
def: ret
//# file: other.s
.globl other
other: ret
//# file: weak.s
.weak def
def: ret
