// --package-metadata takes JSON as it is or percent-encoded; what is neither is an error.
//# variant: plain: '--package-metadata={"a":1}'
//# variant: encoded: --package-metadata=%7B%22a%22:1%7D
//# variant: wrong: --package-metadata=%7
//# @plain,encoded note: FDO section=.note.package
//# @plain,encoded check: grep -a '{"a":1}' $OUT
//# @wrong expect-error: package-metadata
//# peers:
.globl _start
_start: ret
