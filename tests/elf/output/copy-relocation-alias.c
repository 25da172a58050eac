// All names of a copied variable move with it: glibc's environ and __environ are one.
//# compile: -fno-pie -O1
//# link: -no-pie
//# run: stdout="same\n"
//# reloc: R_X86_64_COPY count=1
//# dynsym: environ section!=UND value=dynsym(__environ).value
#include <stdio.h>
extern char **environ, **__environ;
int main(void) {
  puts(&environ == &__environ && environ ? "same" : "different");
}
