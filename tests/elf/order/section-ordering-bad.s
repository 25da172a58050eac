// A section ordering file that cannot be read or understood is an error.
//# variant: missing: --section-ordering-file=none
//# variant: sort: --section-ordering-file=sort
//# variant: statement: --section-ordering-file=statement
//# @missing expect-error: none: No such file or directory
//# @sort expect-error: sort:1: SORT_BY_NAME\(\) is not supported in a section ordering file
//# @statement expect-error: statement:1: .*expected
//# peers:
.globl _start
_start: ret
//# file: sort
.text : { *(SORT_BY_NAME(.text.*)) }
//# file: statement
.text : { . = 4; }
