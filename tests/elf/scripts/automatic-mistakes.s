// What is wrong with an automatic layout is told with its place.
//# peers:
//# variant: zone: main.o -T zone.ld
//# @zone expect-error: zone\.ld:2: an automatic layout has to say behind \.text where it stands, which is one of :head, .*:code
//# variant: condition: main.o -T condition.ld
//# @condition expect-error: condition\.ld:2: .*expected SHF_\*, SHT_\*, LARGE or ALIGN\(bytes\)
//# variant: memory: main.o -T memory.ld
//# @memory expect-error: MEMORY and PHDRS cannot be in an automatic layout
//# variant: load: main.o -T load.ld
//# @load expect-error: load\.ld:2: AT cannot be in an automatic layout
//# variant: address: main.o -T address.ld
//# @address expect-error: address\.ld:2: the address of \.text in an automatic layout is a number
//# variant: missing: main.o -T missing.ld --verbose
//# @missing expect-error: missing\.ld
//# variant: feature: main.o -T feature.ld
//# @feature expect-error: feature\.ld:1: unknown feature
.globl _start
_start: ret
//# file: zone.ld
LD_FEATURE("AUTOMATIC_LAYOUT") SECTIONS {
.text : { *(.text) } :text
}
//# file: condition.ld
LD_FEATURE("AUTOMATIC_LAYOUT") SECTIONS {
.text : ONLY_IF(SHF_CODE) { *(.text) } :code
}
//# file: feature.ld
LD_FEATURE("AUTOMATIC")
//# file: memory.ld
LD_FEATURE("AUTOMATIC_LAYOUT") MEMORY { ram : ORIGIN = 0, LENGTH = 1M } SECTIONS {
.text : { *(.text) } :code
}
//# file: load.ld
LD_FEATURE("AUTOMATIC_LAYOUT") SECTIONS {
.text : AT(0x1000) { *(.text) } :code
}
//# file: address.ld
LD_FEATURE("AUTOMATIC_LAYOUT") SECTIONS {
.text ALIGN(0x1000) : { *(.text) } :code
}
