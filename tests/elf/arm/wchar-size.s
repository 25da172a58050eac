// Different sizes of wchar_t and of enumerations are warned of, unless options say otherwise.
//# driver: ld
//# variant: told:
//# variant: silent: --no-wchar-size-warning --no-enum-size-warning
//# link: -e _start main.o other.o
//# @told warning: wchar_t
//# @told warning: enums
//# @silent no-warning: .
//# peers: ld
.eabi_attribute Tag_ABI_PCS_wchar_t, 2
.eabi_attribute Tag_ABI_enum_size, 1
.globl _start
_start: bx lr
//# file: other.s
.eabi_attribute Tag_ABI_PCS_wchar_t, 4
.eabi_attribute Tag_ABI_enum_size, 2
f: bx lr
