// Any file is data of an i386 program (-b binary).
//# driver: gcc
//# link: main.o -Wl,-b,binary data.txt -Wl,-b,elf32-i386
//# run: stdout="hello\n"
#include <stdio.h>
extern const char _binary_data_txt_start[], _binary_data_txt_end[];
int main(void) {
  printf("%.*s", (int)(_binary_data_txt_end - _binary_data_txt_start), _binary_data_txt_start);
  return 0;
}
//# file: data.txt
hello
