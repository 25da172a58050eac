// -b binary: each byte of the file's name that no symbol may have is an underscore, and the bytes
// are in .data.
//# driver: ld
//# sh: mkdir -p dir && printf 'abc' >dir/some-file.txt && printf 'de' >1.bin
//# variant: static: -static
//# variant: joined: -r
//# link: main.o -b binary dir/some-file.txt 1.bin -b default
//# symbol: _binary_dir_some_file_txt_start section=.data bind=GLOBAL
//# symbol: _binary_dir_some_file_txt_end section=.data
//# symbol: _binary_dir_some_file_txt_size section=ABS value=3
//# symbol: _binary_1_bin_size section=ABS value=2
//# contains: .data abc
//# contains: .data de
//# section: .data flags=WA
.globl _start
_start: ret
.section .note.GNU-stack,"",@progbits
