// -z cet-report tells of objects without the properties that CET needs, but for those that another
// option gives to the output.
//# @both,lam machines: x86-64 properties of 64-bit code
//# variant: warning: -z cet-report=warning
//# variant: error: -z cet-report=error
//# variant: ibt: -z ibt -z cet-report=error
//# variant: shstk: -z shstk -z cet-report=error
//# variant: both: -z ibt -z shstk -z cet-report=error
//# variant: forced: -z force-ibt -z shstk -z cet-report=warning
//# variant: lam: -z lam-u57 -z lam-report=error
//# variant: both-lam: -z lam-u48 -z lam-report=error
//# link: -static
//# @warning warning: main\.o.*missing.*IBT
//# @warning warning: main\.o.*missing.*SHSTK
//# @error,shstk expect-error: main\.o.*missing.*IBT
//# @ibt expect-error: main\.o.*missing.*SHSTK
//# @ibt no-error: IBT
//# @shstk no-error: SHSTK
//# @both note: GNU desc=020000c0040000000300000000000000
//# @forced warning: cet-report.*missing.*IBT
//# @forced no-warning: SHSTK
//# @lam expect-error: missing.*LAM_U48
//# @lam no-error: LAM_U57
//# @both-lam no-warning: missing
//# peers:
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
