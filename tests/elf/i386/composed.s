// R_386_GOTPC and R_386_TLS_GOTIE at one place are composed, as the generic ABI says of consecutive
// relocations: the distance of the GOT word from the place. Go finds its thread-local variable so.
//# variant: exec: -no-pie
//# variant: pie: -pie
//# variant: no-relax: -pie -Wl,--no-relax
//# variant: library: -no-pie
//# peers: ld
//# driver: gcc
//# @library shared: libvariable.so library.o
//# @library link: main.o -L. -lvariable -Wl,-rpath,$ORIGIN
//# @exec,pie,no-relax link: main.o library.o
//# run: exit=18
    .globl main
main:
    call value
    ret
    .section .note.GNU-stack,"",@progbits

//# file: library.s
    .globl value
    .type value, @function
value:
    call here
    // The address of this instruction, which has two bytes before the field.
    .byte 0x8b, 0x89
    .reloc ., R_386_GOTPC
    .reloc ., R_386_TLS_GOTIE, variable
    .long 2
    mov %gs:(%ecx), %eax
    call here
    add $5, %ecx
    .byte 0x8b, 0x89
    .reloc ., R_386_GOTPC
    .reloc ., R_386_TLS_GOTIE, variable
    .long 0
    add %gs:(%ecx), %eax
    ret
here:
    mov (%esp), %ecx
    ret
    .section .tdata,"awT",@progbits
    .long 7
variable:
    .long 9
    .section .note.GNU-stack,"",@progbits
