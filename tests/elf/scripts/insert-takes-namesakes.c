// Sections that no statement takes join the inserted one of their name, with its gaps and symbols; where
// they are of another kind than its place, all of it stands elsewhere. Numbers stay by themselves.
//# driver: gcc
//# variant: data: -Wl,-T,data.ld
//# variant: text: -Wl,-T,text.ld
//# variant: number: -Wl,-T,number.ld
//# variant: zeros: -Wl,-T,zeros.ld
//# variant: relro: -Wl,-T,relro.ld -Wl,-z,norelro
//# link: main.o
//# run:
//# same-as: ld
//# @data,text,zeros,relro section: set count=1 flags=WA size=8
//# peers: ld
extern int __start_set[], __stop_set[];
int a __attribute__((section("set"), used)) = 3;
int main(void) {
  int sum = 0;
  for (int *at = __start_set; at != __stop_set; at++) sum += *at;
  a = 5;
  return sum == 3 ? 0 : 1;
}
//# file: data.ld
SECTIONS { set : { first = .; . += 4; } } INSERT AFTER .data;
//# file: text.ld
SECTIONS { set : { . += 4; first = .; } } INSERT BEFORE .text;
//# file: number.ld
SECTIONS { set : { LONG(7) } } INSERT BEFORE .data;
//# file: zeros.ld
SECTIONS { set : { . += 4; } .zeros ALIGN(64) : { . += 32; } } INSERT BEFORE .bss;
//# file: relro.ld
SECTIONS { set : { . += 4; } } INSERT AFTER .fini_array;
