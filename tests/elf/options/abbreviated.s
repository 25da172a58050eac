// The beginning of a long option is enough if it is that of one only; what is spelled in full is meant
// as it is spelled.
//# driver: ld
//# link: -pie --gc-section --export-dyn --warn-once --strip-al --build-i=0x1234
//# no-section: .text.dead
//# dynsym: kept
//# no-section: .symtab
//# section: .note.gnu.build-id
//# no-dynsym: dead
//# sh: if "$LD" main.o --vers -o x 2>err; then exit 1; fi; grep -q -e --vers err
//# sh: if "$LD" main.o --no-such-opt -o x 2>err; then exit 1; fi; grep -q -e --no-such-opt err
//# peers: ld
        .globl  _start, kept
_start: ret
kept:   ret
        .section .text.dead,"ax"
dead:   ret
        .section .note.GNU-stack,"",@progbits
