// -init and -fini name the functions of DT_INIT and DT_FINI.
//# link: -shared -init start -fini finish
//# dynamic: INIT value=symbol(start).value
//# dynamic: FINI value=symbol(finish).value
.globl start, finish
start: ret
finish: ret
.section .note.GNU-stack,"",@progbits
