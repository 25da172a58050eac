// --no-gnu-unique makes STB_GNU_UNIQUE symbols global, and then needs no GNU OS ABI; the last of the
// pair counts.
//# variant: off: -shared --no-gnu-unique
//# variant: on: -shared --no-gnu-unique --gnu-unique
//# variant: relocatable: -r --no-gnu-unique
//# @off,relocatable header: osabi=0
//# @off dynsym: one bind=GLOBAL type=OBJECT
//# @off,relocatable symbol: one bind=GLOBAL type=OBJECT
//# @on header: osabi=3
//# @on dynsym: one bind=GNU_UNIQUE
//# @on symbol: one bind=GNU_UNIQUE
//# peers: none
.data
.globl one
.type one, @gnu_unique_object
.size one, 4
one: .long 1
.section .note.GNU-stack,"",@progbits
