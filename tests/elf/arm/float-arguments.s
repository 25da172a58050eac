// Objects that pass arguments in different registers do not fit together.
//# driver: ld
//# link: -e _start main.o other.o
//# expect-error: main.o and other.o: .ARM.attributes: only one has VFP register arguments|uses VFP register arguments
//# peers: ld
.eabi_attribute Tag_ABI_VFP_args, 1
.eabi_attribute Tag_ABI_FP_number_model, 3
.globl _start
_start: bx lr
//# file: other.s
.eabi_attribute Tag_ABI_FP_number_model, 3
f: bx lr
