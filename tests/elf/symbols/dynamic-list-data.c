// --dynamic-list-data: a library's data can be interposed, its functions are its own; a program
// exports its data.
//# compile: -fPIC
//# driver: gcc
//# variant: library: -shared
//# variant: program:
//# link: -Wl,--dynamic-list-data
//# @library reloc: R_X86_64_GLOB_DAT symbol=data
//# @library no-reloc: R_X86_64_JUMP_SLOT symbol=function
//# @program dynsym: data
//# @program no-dynsym: function
//# peers: ld
int data = 1;
int function(void) { return data; }
int main(void) { return function() - 1; }
