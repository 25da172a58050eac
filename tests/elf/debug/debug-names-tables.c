// Tables of inputs are read where they speak of skeletons. One that is broken is told with its
// object, and nothing of it is taken; those of other inputs are.
//# driver: ld
//# requires: llvm-dwarfdump-19
//# link: main.o good.o bad.o --debug-names
//# variant: right:
//# variant: length: | -DLENGTH=0x7000
//# variant: version: | -DVERSION=6
//# variant: count: | -DNAMES=0x40000000
//# variant: code: | -DCODE=9
//# variant: offset: | -DENTRY=0x7000
//# variant: parent: | -DPARENT=77
//# variant: form: | -DFORM=0x7f
//# variant: string: | -DSTRING=0x7000
//# variant: abbreviations: | -DEND=5
//# @right no-warning: .
//# @length warning: bad\.o:\(\.debug_names\+0x0\): truncated table of names; \.debug_names is made without this table
//# @version warning: bad\.o:\(\.debug_names\+0x0\): unknown version of a table of names
//# @count warning: bad\.o:\(\.debug_names\+0x0\): truncated table of names
//# @code warning: bad\.o:\(\.debug_names\+0x.*\): unknown abbreviation of a name
//# @offset warning: bad\.o:\(\.debug_names\+0x.*\): truncated entries of a name
//# @parent warning: bad\.o:\(\.debug_names\+0x.*\): parent of a name is no entry
//# @form warning: bad\.o:\(\.debug_names\+0x.*\): unknown form in an abbreviation of names
//# @string warning: bad\.o:\(\.debug_names\+0x.*\): name without a string
//# @abbreviations warning: bad\.o:\(\.debug_names\+0x.*\): truncated abbreviations of names
//# check: llvm-dwarfdump-19 --debug-names $OUT >index
//# check: grep -q '"good"' index
//# @right check: grep -q 'CU count: 2' index && grep -q '"bad"' index
//# @length,version,count,code,offset,parent,form,string,abbreviations check: grep -q 'CU count: 1' index && ! grep -q '"bad"' index
//# peers: none
void _start(void) {}
//# file: table.h
#define TABLE(name, length, version, names, code, entry, parent, form, string, end) \
        .section .debug_abbrev,"",@progbits; \
.Ltable: .uleb128 1, 0x4a; .byte 0; .uleb128 0x76, 8, 0, 0; .byte 0; \
        .section .debug_info,"",@progbits; \
.Lunit: .long 9f - . - 4; .short 5; .byte 4, 8; .long .Ltable; .quad 1; \
        .uleb128 1; .asciz "x.dwo"; 9: \
        .section .debug_str,"MS",@progbits,1; \
.Ltext: .asciz name; \
        .section .debug_names,"",@progbits; \
        .long length; 7: .short version, 0; .long 1, 0, 0, 0, names, 6f - 5f, 0; \
        .long .Lunit; .long string; .long entry; \
5:      .uleb128 1, 0x2e, 3, 0x13, 4, form, 0, 0, end; \
6:      .uleb128 code; .long 26, parent; .byte 0; 8:
//# file: good.S
#include "table.h"
TABLE("good", 8f - 7f, 5, 1, 1, 0, 0, 0x13, .Ltext, 0)
//# file: bad.S
#include "table.h"
#ifndef LENGTH
#define LENGTH 8f - 7f
#endif
#ifndef VERSION
#define VERSION 5
#endif
#ifndef NAMES
#define NAMES 1
#endif
#ifndef CODE
#define CODE 1
#endif
#ifndef ENTRY
#define ENTRY 0
#endif
#ifndef PARENT
#define PARENT 0
#endif
#ifndef FORM
#define FORM 0x13
#endif
#ifndef STRING
#define STRING .Ltext
#endif
#ifndef END
#define END 0
#endif
TABLE("bad", LENGTH, VERSION, NAMES, CODE, ENTRY, PARENT, FORM, STRING, END)
