// Options about undefined symbols: of objects, of libraries, and whether there is an error or a
// warning. For each of the three the last option that says something of it holds.
//# shared: libx.so lib.o
//# variant: shlib-then-all: --allow-shlib-undefined --unresolved-symbols=report-all
//# variant: shlib-then-objects: --allow-shlib-undefined --unresolved-symbols=ignore-in-object-files
//# variant: no-shlib-then-none: --no-allow-shlib-undefined --unresolved-symbols=ignore-all
//# variant: no-shlib-then-libraries: -shared --no-allow-shlib-undefined --unresolved-symbols=ignore-in-shared-libs
//# variant: none-then-no-shlib: --unresolved-symbols=ignore-all --no-allow-shlib-undefined
//# variant: all-then-shlib: -shared --unresolved-symbols=report-all --allow-shlib-undefined
//# variant: none-then-defs: --unresolved-symbols=ignore-all -z defs
//# variant: defs-then-none: -z defs --unresolved-symbols=ignore-all
//# variant: none-then-no-undefined: -shared --unresolved-symbols=ignore-all --no-undefined
//# variant: no-undefined-then-undefs: -shared --no-undefined -z undefs
//# variant: none-then-error: --unresolved-symbols=ignore-all --error-unresolved-symbols
//# variant: objects-warned: --warn-unresolved-symbols --unresolved-symbols=ignore-in-object-files
//# variant: undefs-warned: -z undefs --warn-unresolved-symbols
//# variant: libraries-warned: --unresolved-symbols=ignore-in-shared-libs --warn-unresolved-symbols
//# variant: shared-warned: -shared --warn-unresolved-symbols --no-allow-shlib-undefined
//# variant: warn-then-error: --warn-unresolved-symbols --error-unresolved-symbols
//# link: --no-as-needed libx.so
//# @shlib-then-all expect-error: in_object
//# @shlib-then-all expect-error: in_library
//# @shlib-then-objects,none-then-no-shlib,warn-then-error expect-error: in_library
//# @shlib-then-objects,none-then-no-shlib no-error: in_object
//# @no-shlib-then-none,none-then-error,no-undefined-then-undefs,defs-then-none no-warning: in_(object|library)
//# @no-shlib-then-libraries,all-then-shlib,none-then-defs,none-then-no-undefined expect-error: in_object
//# @no-shlib-then-libraries,all-then-shlib,none-then-defs,none-then-no-undefined no-error: in_library
//# @objects-warned,undefs-warned,shared-warned warning: in_library
//# @objects-warned,undefs-warned,shared-warned no-warning: in_object
//# @libraries-warned warning: in_object
//# @libraries-warned no-warning: in_library
.include "machine.inc"
        .globl  _start
_start: calls use
        calls in_object
        ret
//# file: lib.s
.include "machine.inc"
        .globl  use
use:    calls in_library
        ret
