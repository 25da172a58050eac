// PLT entries and slots of IFUNCs in a static program go where a script has .iplt and .igot.plt, as GNU
// ld names them, and are not discarded by the name of others.
//# @named machines: x86-64 aarch64 x32 words have eight bytes
//# compile: -O1 -ffreestanding -fno-pic -fno-stack-protector -fcf-protection=none
//# driver: ld
//# variant: named: -T named.ld
//# variant: own: -T own.ld
//# variant: discard: -T discard.ld
//# link: main.o -static
//# @named,discard lint-except: writable-code one segment
//# @own lint-except: writable-code one segment
//# @named no-section: .plt.got
//# @named no-section: .got
//# @named symbol: etext value=section(.text).end
//# @named section: .text size>30
//# @named symbol: slots_end value>=symbol(slots).value+8
//# @own section: .plt size>=8
//# peers: ld lld
static int one(void) { return 1; }
static int two(void) { return 2; }
static volatile int second; // so that no compiler chooses
static int (*pick(void))(void) { return second ? two : one; }
int f(void) __attribute__((ifunc("pick")));
int _start(void) { return f(); }
//# file: named.ld
ENTRY(_start)
SECTIONS { . = 0x10000; .text : { *(.text) *(.plt) *(.iplt) etext = .; }
  .got.plt : { slots = .; *(.got.plt) *(.igot.plt) slots_end = .; } .rela.plt : { *(.rela.plt) *(.rela.iplt) } }
//# file: own.ld
SECTIONS { . = 0x10000; .text : { *(.text) } .plt : { *(.plt) *(.iplt) }
  .got : { *(.got) *(.igot.plt) } .rela.plt : { *(.rela.iplt) } ASSERT(SIZEOF(.plt) != 0, "no PLT") }
//# file: discard.ld
SECTIONS { . = 0x10000; .text : { *(.text) } .rela.plt : { *(.rela.iplt) }
  /DISCARD/ : { *(.plt.got) } }
