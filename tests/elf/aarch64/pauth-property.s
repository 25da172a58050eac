// By which rules pointers are signed (GNU_PROPERTY_AARCH64_FEATURE_PAUTH) is kept in the output. Files with
// different rules are refused, files without are reported if that is asked for. Messages are lld's.
//# variant: equal: one.o same.o
//# variant: mixed: one.o same.o two.o
//# variant: silent: one.o main.o -z pauth-report=none
//# variant: warned: one.o main.o -z pauth-report=warning
//# variant: refused: one.o main.o -z pauth-report=error
//# variant: short: short.o
//# variant: twice: twice.o
//# variant: needed: one.o main.o -z pac-plt
//# variant: hint: zero.o main.o -z pac-plt
//# link: -shared
//# @equal,silent,warned,needed check: llvm-readelf-19 -n $OUT | grep -q 'PAuth ABI core info: platform 0x2a .*version 0x1$'
//# @mixed error-text: ld: error: incompatible values of AArch64 PAuth core info found
//# @mixed error-text: platform:
//# @mixed error-text: >>> one.o: 0x2a
//# @mixed error-text: >>> two.o: 0x2a
//# @mixed error-text: version:
//# @mixed error-text: >>> one.o: 0x01
//# @mixed error-text: >>> two.o: 0x02
//# @silent no-warning: pauth
//# @warned warning: main.o: -z pauth-report: file does not have AArch64 PAuth core info while 'one.o' has one
//# @refused expect-error: main.o: -z pauth-report: file does not have AArch64 PAuth core info while 'one.o' has one
//# @short expect-error: short.o: .*GNU_PROPERTY_AARCH64_FEATURE_PAUTH entry is invalid: expected 16 bytes
//# @twice expect-error: twice.o: .*multiple GNU_PROPERTY_AARCH64_FEATURE_PAUTH entries
//# @needed no-warning: pac-plt
//# @needed disasm: * add x16, x16, .*\n.*braa x17, x16\n.*nop\n.*nop
//# @hint warning: zero.o: -z pac-plt: file does not have GNU_PROPERTY_AARCH64_FEATURE_1_PAC property and no valid
//# @hint warning: main.o: -z pac-plt: file does not have GNU_PROPERTY_AARCH64_FEATURE_1_PAC property and no valid
//# @hint disasm: * autia1716\n.*br x17
//# @hint check: llvm-readelf-19 -n $OUT | grep -q 'aarch64 feature: PAC$'
//# @needed,hint dynamic: AARCH64_PAC_PLT
//# requires: llvm-readelf-19
//# peers: none
.globl f
.type f, %function
f: b function
.section .note.GNU-stack,"",@progbits
//# file: schema.inc
.macro schema version
.word 0xc0000001, 16
.xword 42, \version
.endm
.section .note.GNU-stack,"",@progbits
.section .note.gnu.property,"a"
.balign 8
//# file: one.s
.include "schema.inc"
.word 4, 24, 5
.asciz "GNU"
schema 1
//# file: same.s
.include "schema.inc"
.word 4, 24, 5
.asciz "GNU"
schema 1
//# file: two.s
.include "schema.inc"
.word 4, 24, 5
.asciz "GNU"
schema 2
//# file: zero.s
.include "schema.inc"
.word 4, 24, 5
.asciz "GNU"
.word 0xc0000001, 16
.xword 0, 0
//# file: short.s
.include "schema.inc"
.word 4, 24, 5
.asciz "GNU"
.word 0xc0000001, 12
.xword 42, 1
//# file: twice.s
.include "schema.inc"
.word 4, 48, 5
.asciz "GNU"
schema 1
schema 1
