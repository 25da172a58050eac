// `dir/*` is a pattern of files, not the beginning of a comment; a wildcard is for the names of files and
// members, not for that of an archive, which a plain name and EXCLUDE_FILE may give.
//# variant: directory: -T directory.ld
//# variant: excluded: -T excluded.ld
//# variant: comments: -T comments.ld
//# variant: archive-wild: -T archive-wild.ld
//# variant: archive-excluded: -T archive-excluded.ld
//# archive: libx.a a.o
//# archive: unused.a b.o
//# sh: mkdir -p sub && cp b.o sub/b.o
//# link: main.o sub/b.o libx.a -e 0 -u in_a
//# @directory section: .first size=4
//# @directory section: .rest size=12
//# @excluded section: .first size=12
//# @excluded section: .rest size=4
//# @comments section: .first size=4
//# @comments section: .rest size=12
//# @archive-wild no-section: .first
//# @archive-wild section: .rest size=16
//# @archive-excluded section: .first size=12
//# @archive-excluded section: .rest size=4
//# peers: ld
.section .d, "aw"
.quad 1
.section .note.GNU-stack,"",@progbits
//# file: a.s
.globl in_a
.section .d, "aw"
in_a: .long 2
.section .note.GNU-stack,"",@progbits
//# file: b.s
.section .d, "aw"
.long 3
.section .note.GNU-stack,"",@progbits
//# file: directory.ld
SECTIONS { .first : { sub/*.o(.d) } .rest : { *(.d) } }
//# file: excluded.ld
SECTIONS { .first : { *(EXCLUDE_FILE(sub/*.o) .d) } .rest : { KEEP(./sub/*(.d)) *(.d) } }
//# file: comments.ld
SECTIONS { .first : { sub/*.o(.d) } /* the rest */ .rest : { *(/* all */ .d) } }
//# file: archive-wild.ld
SECTIONS { .first : { *libx.a(.d) } .rest : { *(.d) } }
//# file: archive-excluded.ld
SECTIONS { .first : { *(EXCLUDE_FILE(*libx.a) .d) } .rest : { *(.d) } }
