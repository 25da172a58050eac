// An automatic layout that somebody has written: sections stand where they are named if they fit, or
// with those that nothing names; segments follow, and symbols, gaps and numbers are as in any script.
//# compile: -O1 -ffunction-sections -fno-pie
//# driver: ld
//# peers:
//# link: main.o -T layout.ld
//# run: exit=7
//# segment: LOAD flags=RX count=1
//# symbol: early value=section(.text).address
//# symbol: begin value=section(.text).address
//# symbol: behind value=section(.text).address+64
//# word32: symbol(behind).value = 0x1234
//# section: .data.second address=0x500000
//# section: .unfilled type=NOBITS address>section(.data.second).address
//# word16: symbol(behind).value-2 = 0x9090
//# section: unchanging flags=A
//# check: test "$(readelf -SW $OUT | grep -c ' \.data ')" = 1
int data = 3;
__attribute__((section(".data.second"))) int second = 4;
__attribute__((section("apart"))) int own = 5;
__attribute__((section("unchanging"))) const int constant = 6;
extern char begin[], behind[];
__attribute__((section("unfilled"))) int loaded_by_nobody = 7;
static void end(int status) {
    __asm__ volatile("syscall" : : "a"(60), "D"(status) : "memory");
}
void _start(void) { end(behind - begin == 64 && own == 5 ? data + second : 1); }
__attribute__((section(".text.early"))) void early(void) { _start(); }
//# file: layout.ld
LD_FEATURE("AUTOMATIC_LAYOUT")
SECTIONS
{
  * : { } :rodata
  PROVIDE(begin = .);
  .text : { *(.text.early) *(.text .text.*) . = ALIGN(64); behind = .; LONG(0x1234) } :code =0x9090
  begin = ADDR(.text);
  .data : ONLY_IF(!SHT_NOBITS & SHF_WRITE) { *(.data) } :data
  .data.second 0x500000 : { *(.data.*) } :data
  .unfilled (NOLOAD) : { *(unfilled) } :data
  * : ONLY_IF(!SHT_NOBITS) { } :data
  * : { } :data
  * : { } :unloaded
}
ASSERT(begin == ADDR(.text), "moved")
