// A library that is a program too names its interpreter in a section of its own.
//# link: -shared -nostartfiles -Wl,-e,entry
//# compile: -fPIC
//# segment: INTERP sections~^\.interp$
//# contains: .interp /lib64/ld-linux-x86-64.so.2
//# run
#include <unistd.h>
__attribute__((used, section(".interp"))) static const char path[] = "/lib64/ld-linux-x86-64.so.2";
__attribute__((force_align_arg_pointer)) void entry(void) { _exit(0); }
