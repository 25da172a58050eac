// --export-dynamic-symbol-list exports from a program what its files list, patterns too; in a library
// listed symbols stay to be replaced under -Bsymbolic, where the others bind to the library.
//# compile: -fPIC
//# variant: program: main.o -pie
//# variant: two: main.o -pie -Wl,--export-dynamic-symbol-list=more.txt
//# variant: library: main.o -shared -Wl,-Bsymbolic
//# link: -Wl,--export-dynamic-symbol-list=list.txt
//# dynsym: exact type=FUNC bind=GLOBAL section=.text
//# dynsym: some_data type=OBJECT
//# dynsym: some_function
//# @program no-dynsym: other
//# @two dynsym: other
//# @library dynsym: other
//# @library reloc: R_X86_64_JUMP_SLOT symbol=exact
//# @library reloc: R_X86_64_GLOB_DAT symbol=some_data
//# @library no-reloc: symbol=other
//# @program,two run
int some_data = 1;
int exact(void) { return 0; }
int some_function(void) { return some_data - 1; }
int other(void) { return 0; }
int main(void) { return exact() + some_function() + other(); }
//# file: list.txt
{
  exact;
  some_*;
};
//# file: more.txt
{ other; };
