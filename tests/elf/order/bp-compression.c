// --bp-compression-sort brings functions or data that are alike together; the program is the same.
//# compile: -O1 -ffunction-sections -fdata-sections
//# variant: function: -Wl,--bp-compression-sort=function
//# variant: data: -Wl,--bp-compression-sort=data
//# variant: both: -Wl,--bp-compression-sort=both,--gc-sections
//# variant: none: -Wl,--bp-compression-sort=both,--bp-compression-sort=none
//# run: stdout="6 36 1 16 "
//# @data,both check: nm -n $OUT | grep -o 'table_.' | uniq | wc -l | grep -qx 2
//# @function,none check: nm -n $OUT | grep -o 'table_.' | uniq | wc -l | grep -qx 8
//# peers:
#include <stdio.h>
#define KIND(n)                                                                       \
  int table_a##n[] = {0x12345678, 0x23456789, 0x3456789a, 0x456789ab, 0x56789abc, n}; \
  int table_b##n[] = {0x11223344, 0x22334455, 0x33445566, 0x44556677, 0x55667788, n * n};
KIND(6) KIND(5) KIND(4) KIND(1)
__attribute__((noinline)) void show(int n) { printf("%d ", n); }
int main(void) {
  show(table_a6[5]);
  show(table_b6[5]);
  show(table_a1[5] + table_b5[0] - 0x11223344 + table_a4[0] - table_a5[0]);
  show(table_b4[5]);
}
