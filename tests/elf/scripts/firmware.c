// A script as firmware has them: sections that are loaded elsewhere than they run, memory that no
// file fills, an overlay, tables by name, numbers. Its image is GNU ld's, byte by byte.
//# driver: ld
//# compile: -O1 -fno-pic -mcmodel=large -ffreestanding -fno-asynchronous-unwind-tables -fdata-sections -ffunction-sections
//# requires: ld.bfd objcopy cmp
//# link: main.o -T layout.ld
//# check: ld.bfd main.o -T layout.ld -o gnu && objcopy -O binary gnu theirs && $LD main.o -T layout.ld -o ours --oformat=binary && cmp ours theirs
//# lint-except: load-order the segments of an overlay have one address
//# lint-except: section-offset a section of an overlay is looked for in the segment of another one
//# peers: ld
typedef unsigned u32;
extern char __data_load_start[], __data_start[], __data_end[], __bss_start[], __bss_end[];
int initialised[8] = {1,2,3,4,5,6,7,8};
static const char banner[] = "*** Booting ***";
char buffer[100]; int counter;
__attribute__((section(".vectors"), used)) void (*const vectors[4])(void);
__attribute__((section("._device.static.1"), used)) const u32 dev1 = 0x11;
__attribute__((section("._device.static.0"), used)) const u32 dev0 = 0x10;
__attribute__((section(".noinit.keep"), used)) char keep[32];
__attribute__((section(".over.a"), used)) const int oa[5] = {1};
__attribute__((section(".over.b"), used)) const int ob[9] = {2};
__attribute__((section(".itcm"))) int fast(int x) { return x * counter; }
__attribute__((section(".init_array.00100"), used)) static void *ctor = (void *)fast;
const char *text(void) { return banner; }
void _start(void) { for (char *s = __data_load_start, *d = __data_start; d < __data_end;) *d++ = *s++; for (char *b = __bss_start; b < __bss_end;) *b++ = 0; counter = fast(initialised[3]) + text()[1]; for(;;); }
//# file: layout.ld
OUTPUT_FORMAT("elf64-x86-64")
_region_min_align = 32;
MEMORY
{
  FLASH (rx) : ORIGIN = (0x8000000 + 0x0), LENGTH = (512*1K - 0x0)
  SRAM (wx) : ORIGIN = 0x20000000, LENGTH = (96 * 1K)
  ITCM (rwx) : ORIGIN = 0x10000000, LENGTH = 16K
  IDT_LIST (wx) : ORIGIN = (0x20000000 + 96K), LENGTH = 2K
}
ENTRY("_start")
SECTIONS
{
 .rel.plt : ALIGN_WITH_INPUT { *(.rel.plt) PROVIDE_HIDDEN (__rel_iplt_start = .); *(.rel.iplt) PROVIDE_HIDDEN (__rel_iplt_end = .); }
 /DISCARD/ : { *(.plt) *(.iplt) *(.note*) *(.comment) }
 __rom_region_start = (0x8000000 + 0x0);
 rom_start : {
   . = 0x0; . = ALIGN(4); . = ALIGN( 1 << LOG2CEIL(4 * 32) );
   _vector_start = .;
   KEEP(*(.exc_vector_table)) KEEP(*(".exc_vector_table.*")) KEEP(*(.vectors))
   _vector_end = .;
 } > FLASH
 text : { __text_region_start = .; *(.text) *(".text.*") . = ALIGN(4); } > FLASH
 __text_region_end = .;
 .itcm : { __itcm_start = .; *(.itcm .itcm.*) . = ALIGN(8); __itcm_end = .; } > ITCM AT> FLASH
 __itcm_load_start = LOADADDR(.itcm);
 initlevel : { __init_start = .; KEEP(*(SORT_BY_NAME(.init_array.*))) __init_end = .; } > FLASH
 device_area : SUBALIGN(4) { _device_list_start = .; KEEP(*(SORT(._device.static.*))) _device_list_end = .; } > FLASH
 rodata : { *(.rodata) *(".rodata.*") . = ALIGN(4); } > FLASH
 __rodata_region_end = .;
 OVERLAY 0x10002000 : NOCROSSREFS AT (0x8010000) { .ova { *(.over.a) } .ovb { *(.over.b) } } 
 . = 0x20000000; . = ALIGN(_region_min_align);
 _image_ram_start = .;
 bss (NOLOAD) : ALIGN_WITH_INPUT { . = ALIGN(8); __bss_start = .; *(.bss) *(".bss.*") *(COMMON) __bss_end = ALIGN(8); } > SRAM AT> SRAM
 noinit (NOLOAD) : { *(.noinit) *(".noinit.*") } > SRAM AT> SRAM
 datas : ALIGN_WITH_INPUT { __data_start = .; *(.data) *(".data.*") BYTE(0xaa) SHORT(0xbbcc) LONG(_image_ram_start) . = ALIGN(16); __data_end = .; } > SRAM AT> FLASH =0xdeadbeef
 __data_load_start = LOADADDR(datas);
 __data_size = SIZEOF(datas);
 . = ALIGN(8); _end = .; z_mapped_end = .;
 .last_section : { LONG(0xE015E015) } > FLASH
 _flash_used = LOADADDR(.last_section) + SIZEOF(.last_section) - __rom_region_start;
 ASSERT(_flash_used < LENGTH(FLASH), "too large")
 .comment 0 : { *(.comment) }
}
