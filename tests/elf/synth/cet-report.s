// -z cet-report tells of objects without the properties that CET needs.
//# variant: warning: -z cet-report=warning
//# variant: error: -z cet-report=error
//# link: -static
//# @warning warning: main\.o.*missing.*IBT
//# @warning warning: main\.o.*missing.*SHSTK
//# @error expect-error: main\.o.*missing.*IBT
//# peers:
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
