// .dynamic, .got and init arrays are as aligned as their words.
//# machines: x86-64 aarch64 addresses, and what is made of them, have eight bytes
//# link: -pie
//# compile: -fPIE
//# section: .dynamic align=8 entsize=16 flags=WA
//# section: .dynsym entsize=24 align=8 flags=A
//# section: .dynstr type=STRTAB flags=A align=1
//# section: .interp type=PROGBITS flags=A
//# section: .symtab type=SYMTAB entsize=24
//# section: .shstrtab type=STRTAB
int main(void) { return 0; }
