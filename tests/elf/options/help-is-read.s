// Configure scripts and test suites look for options in --help, and for words of -z in the part that
// belongs to an emulation: between a line that begins with its name and the next that begins so.
//# check: "$LD" --help | grep -q -e '-plugin PLUGIN'
//# check: "$LD" --help | grep -q -e ': supported targets:.* elf'
//# check: "$LD" --help | grep -q -e ': supported emulations:.*elf_x86_64'
//# check: "$LD" --help | sed -e '1,/^elf_x86_64:/d;/^[^ ]*:/,$d' | grep -q -e '-z dynamic-undefined-weak'
//# check: "$LD" --help | sed -e '1,/^elf_x86_64:/d;/^[^ ]*:/,$d' | grep -q -e '-z nopack-relative-relocs'
//# check: "$LD" --help | grep -q -e '--compress-debug-sections.*\<zstd\>'
//# check: "$LD" --target-help | grep -q '^elf_x86_64:'
//# check: "$LD" -V | grep -q '^   elf_x86_64$'
//# check: test "$("$LD" --print-output-format)" = elf64-x86-64
//# check: "$LD" --help >/dev/null 2>err && test ! -s err
//# peers: ld
        .globl  _start
_start: ret
