// -z cet-report tells of objects without what CET needs in a link with -r too.
//# link: -r
//# variant: warning: -z cet-report=warning
//# variant: error: -z cet-report=error
//# @warning warning: main\.o.*missing.*IBT
//# @warning warning: main\.o.*missing.*SHSTK
//# @error expect-error: main\.o.*missing.*SHSTK
//# peers:
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
