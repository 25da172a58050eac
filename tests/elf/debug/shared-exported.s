# Debug information of a shared library describes what is in it: the address of a variable or
# function that another module may replace is the one that it has here, whichever object refers to
# it. Where data refers to them, the loader decides.
//# machines: x86-64 aarch64 i386 x32 bytes of words are turned around
//# link: -shared
//# requires: readelf nm
//# check: readelf -x .debug_info $OUT | awk '/^  0x/ {print $2 $3; print $4 $5}' >words
//# check: for name in f word second; do nm $OUT | awk -v n=$name '$3 == n {print $1}'; done >addresses
//# check: rev() { sed 's/\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)\(..\)/\8\7\6\5\4\3\2\1/'; }; rev <words | head -3 | diff - addresses
//# check: sed -n 4p words | grep -qx 0000000000000000
//# word64: symbol(word).value = 0
//# peers: ld lld
.globl f, word
.type f, @function
.type word, @object
.text
nop
f:  ret
.size f, .-f
.data
.quad 0
word: .quad f
.size word, 8
.section .debug_info,"",@progbits
.quad f, word, second, absent
//# file: second.s
.globl second
.type second, @function
nop
second: ret
.size second, .-second
