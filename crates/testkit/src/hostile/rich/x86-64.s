# One of everything that an object may hold: code with every kind of reference, thread-local
# variables, groups, frames, merged strings and constants, commons, notes, constructors.
        .globl  _start, other, weak_one, resolver
        .weak   maybe
        .hidden hidden_data, common_data
        .section .text,"ax",@progbits
        .type   _start, @function
_start: .cfi_startproc
        .cfi_personality 0x9b, personality_ref
        .cfi_lsda 0x1b, .Llsda
        push    %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        call    other@PLT
        mov     external@GOTPCREL(%rip), %rax
        mov     hidden_data@GOTPCREL(%rip), %rcx
        lea     .Ltext_string(%rip), %rdi
        mov     maybe@GOTPCREL(%rip), %rdx
        .byte   0x66
        lea     tls_one@tlsgd(%rip), %rdi
        .value  0x6666
        rex64
        call    __tls_get_addr@PLT
        lea     tls_local@tlsld(%rip), %rdi
        call    __tls_get_addr@PLT
        lea     tls_local@dtpoff(%rax), %rcx
        mov     tls_one@gottpoff(%rip), %rax
        lea     tls_one@tlsdesc(%rip), %rax
        call    *tls_one@tlscall(%rax)
        call    *external@GOTPCREL(%rip)
        lea     common_data(%rip), %rsi
        call    grouped
        pop     %rbp
        ret
        .cfi_endproc
        .size   _start, .-_start
        .section .text.other,"ax",@progbits
        .type   other, @function
other:  .cfi_startproc
        ret
        .cfi_endproc
        .size   other, .-other
        .type   resolver, @gnu_indirect_function
resolver:
        .cfi_startproc
        lea     hidden_data(%rip), %rax
        ret
        .cfi_endproc
        .section .text.grouped,"axG",@progbits,grouped,comdat
        .weak   grouped
        .type   grouped, @function
grouped:
        .cfi_startproc
        call    resolver@PLT
        ret
        .cfi_endproc
        .section .data.grouped,"awG",@progbits,grouped,comdat
        .quad   grouped
        .section .gcc_except_table,"a",@progbits
.Llsda: .byte   0xff, 0xff, 1, 0
        .section .data,"aw",@progbits
        .align  8
hidden_data:
        .quad   other, _start+4, .Ltext_string, external, hidden_data - .
personality_ref:
        .quad   other
weak_one:
        .long   .Ltext_string - .
        .size   weak_one, 4
        .section .rodata.str1.1,"aMS",@progbits,1
.Ltext_string:
        .string "a string"
        .string "string"
        .string "another string"
        .section .rodata.str4.4,"aMS",@progbits,4
        .long   1, 2, 0, 2, 0
        .section .rodata.cst8,"aM",@progbits,8
        .quad   1, 2, 1
        .section .tdata,"awT",@progbits
        .align  16
        .globl  tls_one
        .type   tls_one, @object
tls_one:
        .long   5
        .section .tbss,"awT",@nobits
        .type   tls_local, @object
tls_local:
        .zero   24
        .section .bss,"aw",@nobits
        .zero   100
        .comm   common_data, 40, 16
        .section .init_array.00100,"aw",@init_array
        .quad   other
        .section .ctors,"aw",@progbits
        .quad   other
        .section set,"awR",@progbits
        .quad   __start_set, __stop_set
        .section .linked,"ao",@progbits,.text.other
        .quad   0
        .section .note.x,"a",@note
        .long   4, 4, 1
        .ascii  "abc\0"
        .long   7
        .section .note.gnu.property,"a",@note
        .align  8
        .long   4, 16, 5
        .asciz  "GNU"
        .long   0xc0000002, 4, 3, 0
        .section .debug_info,"",@progbits
        .quad   other, grouped
        .long   .Ldebug_string
        .section .debug_str,"MS",@progbits,1
.Ldebug_string:
        .string "debug debug debug debug debug debug debug debug debug debug debug debug debug"
        .string "debug debug debug debug debug debug debug debug debug debug debug debug debug"
        .section .debug_line,"",@progbits
        .zero   200
        .section .note.GNU-stack,"",@progbits
