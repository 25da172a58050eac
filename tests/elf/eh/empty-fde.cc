// An FDE that describes no byte does not hide the function that begins where it does.
//# run: exit=0
#include <stdexcept>
asm(".section .text.unlikely,\"ax\",%progbits\n"
    ".cfi_startproc\n.cfi_endproc\n.cfi_startproc\n.cfi_endproc\n.text\n");
__attribute__((noinline, section(".text.unlikely"))) static int run(int x) {
  if (x)
    throw std::runtime_error("first");
  return 0;
}
// Nothing begins where this one does.
asm(".section .text.last,\"ax\",%progbits\n.byte 0\n.cfi_startproc\n.cfi_endproc\n.text\n");
int main(int argc, char **) {
  try {
    return run(argc);
  } catch (const std::exception &) {
    return 0;
  }
}
