# Tables of version 3, in which starts have 64 bits and attributes stand in front of the rows, are
# joined, and the PLT is described in that version; of a function that is not in the output there is
# neither index nor attributes nor rows. A joined object, which has both tables, comes to the same.
//# driver: ld
//# peers: none
//# shared: libx.so x.o
//# relocatable: joined.o main.o other.o
//# link: -e main -dynamic-linker /lib64/ld-linux-x86-64.so.2 -Ttext=0x500000 --section-start=.sframe=0x480000
//# variant: all: main.o other.o
//# variant: joined: joined.o
//# variant: reversed: other.o main.o
//# variant: gc: main.o other.o --gc-sections
//# variant: gc-joined: joined.o --gc-sections
//# variant: far: main.o other.o --section-start=far_code=0x200000000
//# variant: plt: main.o other.o libx.so -z lazy --section-start=.plt=0x4f0000 | -Wa,--defsym,plt=1
//# variant: no-plt: main.o other.o libx.so -z lazy --no-ld-generated-unwind-info | -Wa,--defsym,plt=1
//# section: .sframe type=0x6ffffff4 flags=A align=8
//# segment: GNU_SFRAME flags=R sections=".sframe"
//# @all,joined,gc,gc-joined,reversed,plt,no-plt run: env=LD_LIBRARY_PATH=.
# The header; indexes by address (main, helper, dead), with rows in the order of the inputs.
//# @all,joined,reversed,far section: .sframe size=107
//# @all,joined bytes: .sframe = e2 de 03 05 03 00 f8 00 03 00 00 00 04 00 00 00 1f 00 00 00 00 00 00 00 30 00 00 00 e4 ff 07 00 00 00 00 00 0e 00 00 00 00 00 00 00 e2 ff 07 00 00 00 00 00 02 00 00 00 11 00 00 00 d4 ff 07 00 00 00 00 00 03 00 00 00 08 00 00 00 01 00 00 00 00 00 03 08 01 00 80 01 00 00 04 39 08 02 00 01 00 00 00 00 03 08 01 00 23 10 00
# helper is the first of both.
//# @reversed bytes: .sframe = e2 de 03 05 03 00 f8 00 03 00 00 00 04 00 00 00 1f 00 00 00 00 00 00 00 30 00 00 00 e4 ff 07 00 00 00 00 00 02 00 00 00 00 00 00 00 d6 ff 07 00 00 00 00 00 0e 00 00 00 0e 00 00 00 d4 ff 07 00 00 00 00 00 03 00 00 00 16 00 00 00 02 00 01 00 00 00 00 03 08 01 00 23 10 00 01 00 00 00 00 00 03 08 01 00 80 01 00 00 04 39 08
# Without dead.
//# @gc,gc-joined section: .sframe size=82
//# @gc,gc-joined bytes: .sframe = e2 de 03 05 03 00 f8 00 02 00 00 00 03 00 00 00 16 00 00 00 00 00 00 00 20 00 00 00 e4 ff 07 00 00 00 00 00 0e 00 00 00 00 00 00 00 e2 ff 07 00 00 00 00 00 02 00 00 00 08 00 00 00 01 00 00 00 00 00 03 08 02 00 01 00 00 00 00 03 08 01 00 23 10 00
# More than 2 GiB from dead.
//# @far word64: 0x48003c = 0x1ffb7ffc4
# The header of the PLT, its entries (which repeat), and the three functions.
//# @plt section: .sframe size=161
//# @plt bytes: .sframe = e2 de 03 05 03 00 f8 00 05 00 00 00 08 00 00 00 35 00 00 00 00 00 00 00 50 00 00 00 e4 ff 06 00 00 00 00 00 10 00 00 00 1f 00 00 00 e4 ff 06 00 00 00 00 00 10 00 00 00 2a 00 00 00 c4 ff 07 00 00 00 00 00 13 00 00 00 00 00 00 00 c7 ff 07 00 00 00 00 00 02 00 00 00 11 00 00 00 b9 ff 07 00 00 00 00 00 03 00 00 00 08 00 00 00 01 00 00 00 00 00 03 08 01 00 80 01 00 00 04 39 08 02 00 01 00 00 00 00 03 08 01 00 23 10 00 02 00 00 00 00 00 03 10 06 03 18 02 00 10 00 10 00 03 08 0b 03 10
//# @no-plt section: .sframe size=107
        .text
        .globl main
main:   call helper
        .ifdef plt
        call x
        .endif
        mov $60, %eax
        xor %edi, %edi
        syscall
end:
        .section far_code, "ax"
dead:   nop
        nop
        ret

        .section .sframe, "a", @0x6ffffff4
        .balign 8
        .short 0xdee2
        .byte 3, 4, 3, 0, 0xf8, 0
        .long 2, 2, 17, 0, 32
        .quad main - .
        .long end - main, 0
        .quad dead - .
        .long 3, 8
        .byte 1, 0, 0, 0, 0, 0, 3, 8
        # A signal frame whose registers are told by their numbers.
        .byte 1, 0, 0x80, 1, 0, 0, 4, 0x39, 8
//# file: other.s
        .globl helper
helper: nop
        ret
        .section .sframe, "a", @0x6ffffff4
        .balign 8
        .short 0xdee2
        .byte 3, 4, 3, 0, 0xf8, 0
        .long 1, 2, 14, 0, 16
        .quad helper - .
        .long 2, 0
        # Addresses and an offset of two bytes.
        .byte 2, 0, 1, 0, 0, 0, 0, 3, 8, 1, 0, 0x23, 16, 0
//# file: x.s
        .globl x
x:      ret
