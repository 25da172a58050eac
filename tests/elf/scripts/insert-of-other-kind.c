// A section that is not of the kind of the place where it is inserted stands elsewhere as a whole, with the
// gaps, numbers and symbols of its statement. Before read-only memory of relocations it stays writable.
//# driver: gcc
//# variant: gap: -Wl,-T,gap.ld
//# variant: number: -Wl,-T,number.ld
//# variant: before: -Wl,-T,before.ld
//# variant: behind: -Wl,-T,behind.ld
//# variant: relro: -Wl,-T,relro.ld
//# link: main.o
//# run:
//# same-as: ld
//# section: set count=1 type=PROGBITS flags=WA
//# peers: ld
extern int __start_set[], __stop_set[], first[];
int a __attribute__((section("set"), used)) = 3;
int b __attribute__((section("set"), used)) = 4;
__thread int t = 1;
int main(void) {
  int sum = 0;
  for (int *at = __start_set; at != __stop_set; at++) sum += *at;
  a = t;
  return (sum == 7 || sum == 8) && a == 1 && (unsigned long)__start_set == (unsigned long)first ? 0 : 1;
}
//# file: gap.ld
SECTIONS { set : { first = .; *(set) . = ALIGN(64); } } INSERT AFTER .text;
//# file: number.ld
SECTIONS { set : { first = .; *(set) LONG(1) } } INSERT AFTER .rodata;
//# file: before.ld
SECTIONS { set : { first = .; *(set) } } INSERT BEFORE .tdata;
//# file: behind.ld
SECTIONS { set : { first = .; *(set) } } INSERT AFTER .eh_frame;
//# file: relro.ld
SECTIONS { set : { first = .; *(set) LONG(1) } } INSERT BEFORE .tdata;
