# A program header that is not loaded may cover sections that lie before and behind one another in the
# file: its size in the file ends with the last of them, or is 0.
//# driver: ld
//# link: main.o -e 0 -z noexecstack -T layout.ld
//# segment: 0x65041580
//# lint-except: segment-outside-load only the last section is loaded
//# lint-except: section-outside-load orphans follow a section that is not loaded
//# lint-except: tls-segment PHDRS has none
//# peers: none
.text
ret
.section .tdata,"awT"
.long 1
//# file: layout.ld
PHDRS { third PT_LOAD; odd 0x65041580 FLAGS(4); }
SECTIONS {
    .first : ALIGN(64) { } :odd
    .number (READONLY) : { SHORT(1) } :third :odd
}
