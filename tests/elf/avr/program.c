// A program with a C library runs in the simulator of a device and says what that of GNU ld says.
//# driver: gcc
//# variant: plain:
//# variant: gc: -Wl,--gc-sections | -ffunction-sections -fdata-sections
//# variant: relax: -mrelax | -mrelax
//# variant: lto: -flto | -flto
//# compile: -mmcu=atmega328p -Os
//# link: -mmcu=atmega328p
//# requires: simavr
//# check: timeout 20 simavr -m atmega328p -f 16000000 $OUT > told 2>&1; cat told; grep -q 'from flash 6 0' told
//# check: grep -q 'from flash 3 123456' told
//# check: grep -q 'zeros 0 initialized 7' told
//# peers: ld
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <stdio.h>
static int put(char c, FILE *file) {
  (void)file;
  while (!(UCSR0A & (1 << UDRE0)));
  UDR0 = c;
  return 0;
}
static FILE out = FDEV_SETUP_STREAM(put, NULL, _FDEV_SETUP_WRITE);
static const char text[] PROGMEM = "from flash";
int table[] = {3, 1};
volatile int initialized = 7;
volatile char zeros[40];
static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
int (*functions[])(int) = {twice, thrice};
int main(void) {
  UBRR0 = 8;
  UCSR0B = 1 << TXEN0;
  stdout = &out;
  char copy[20];
  strcpy_P(copy, text);
  for (int i = 0; i < 2; i++) printf("%s %d %ld\n", copy, functions[i](table[i]), 123456L * i);
  printf("zeros %d initialized %d\n", zeros[3], initialized);
  cli();
  sleep_enable();
  sleep_cpu();
  return 0;
}
