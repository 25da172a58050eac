// -z takes its word joined or apart.
//# variant: joined: -znow
//# variant: apart: -z now
//# link: -shared
//# dynamic: FLAGS_1 value~NOW
.globl f
f: ret
.section .note.GNU-stack,"",@progbits
