// A line of --remap-inputs-file that is no pair is an error with its place.
//# link: -static --remap-inputs-file=list
//# expect-error: list:2: expected PATTERN=FILE: alone
//# peers:
.globl _start
_start: nop
//# file: list
# comment
alone
