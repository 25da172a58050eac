// -b binary takes a file as the data that it is.
//# driver: gcc
//# link: main.o -Wl,-b,binary data.txt -Wl,-b,default
//# run: stdout="some data\n"
//# symbol: _binary_data_txt_size value=10 section=ABS
#include <stdio.h>
extern char _binary_data_txt_start[], _binary_data_txt_end[];
int main(void) {
  fwrite(_binary_data_txt_start, 1, _binary_data_txt_end - _binary_data_txt_start, stdout);
}
//# file: data.txt
some data
