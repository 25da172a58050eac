// An output of -r does not say who joined it: the link that it goes into does.
//# driver: ld
//# link: -r
//# no-section: .comment
.globl f
f: ret
