// -Bsymbolic binds a library's references to its own definitions; -Bsymbolic-functions only
// those to functions.
//# driver: gcc
//# compile: -fPIC -O1
//# variant: all: -Wl,-Bsymbolic
//# variant: functions: -Wl,-Bsymbolic-functions
//# variant: none:
//# link: -shared
//# @all no-reloc: symbol=data
//# @all,functions no-reloc: symbol=function
//# @functions,none reloc: R_X86_64_GLOB_DAT symbol=data
//# @none reloc: R_X86_64_JUMP_SLOT symbol=function
//# @all dynamic: FLAGS value~SYMBOLIC
//# @functions,none no-dynamic: FLAGS value~SYMBOLIC
//# dynsym: function
//# dynsym: data
int data = 1;
int function(void) { return 1; }
int ask(void) { return data + function(); }
