# An output is marked for landing pads if all its objects are, and its PLT has them then. Options
# give and take the mark, and report objects without it.
//# driver: ld
//# variant: all: marked.o
//# variant: one: marked.o main.o
//# variant: given: main.o -z zicfilp=unlabeled
//# variant: taken: marked.o -z zicfilp=never
//# variant: reported: main.o -z zicfilp-unlabeled-report=warning
//# variant: labeled: labeled.o -z zicfilp=unlabeled
//# variant: both: labeled.o marked.o both.o
//# link: -shared
//# @all,given check: readelf -x .note.gnu.property $OUT | grep -q '000000c0 04000000 01000000'
//# @one,taken,reported no-section: .note.gnu.property
//# @all,given check: readelf -x .plt $OUT | grep -q ' 17000000 '
//# @reported warning: main.o: -z zicfilp-unlabeled-report: file does not have GNU_PROPERTY_RISCV_FEATURE_1_CFI_LP_UNLABELED property
//# @labeled warning: labeled.o: -z zicfilp=unlabeled: file has conflicting property: GNU_PROPERTY_RISCV_FEATURE_1_CFI_LP_FUNC_SIG
//# @both expect-error: both.o: file has conflicting properties: GNU_PROPERTY_RISCV_FEATURE_1_CFI_LP_UNLABELED and GNU_PROPERTY_RISCV_FEATURE_1_CFI_LP_FUNC_SIG
//# peers: none
call outside
//# file: marked.s
call outside
.section .note.gnu.property,"a"
.balign 8
.word 4, 16, 5
.asciz "GNU"
.word 0xc0000000, 4, 1, 0
//# file: labeled.s
call outside
.section .note.gnu.property,"a"
.balign 8
.word 4, 16, 5
.asciz "GNU"
.word 0xc0000000, 4, 4, 0
//# file: both.s
.section .note.gnu.property,"a"
.balign 8
.word 4, 16, 5
.asciz "GNU"
.word 0xc0000000, 4, 5, 0
