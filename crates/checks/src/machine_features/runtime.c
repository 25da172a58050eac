// What takes the place of a C library where there is none: AArch64, either byte order. It starts a
// program without libraries, relocates it, makes its thread block, and prints.
typedef unsigned long Word;
typedef struct {
  unsigned type, flags;
  Word offset, address, physical, file_size, memory_size, align;
} Header;
typedef struct {
  Word place, info, addend;
} Relocation;

int main(int, char **);
#define HIDDEN __attribute__((visibility("hidden")))
extern const Relocation __rela_iplt_start[] HIDDEN __attribute__((weak));
extern const Relocation __rela_iplt_end[] HIDDEN __attribute__((weak));
extern void (*__init_array_start[])(void) HIDDEN __attribute__((weak));
extern void (*__init_array_end[])(void) HIDDEN __attribute__((weak));

// The address of the dynamic section without the GOT, which is not relocated yet.
asm(".text\n.globl _start\n.type _start, %function\n.weak _DYNAMIC\n.hidden _DYNAMIC\n"
    "_start: mov x0, sp\nadrp x1, _DYNAMIC\nadd x1, x1, #:lo12:_DYNAMIC\nbl begin\n");

static long call(long number, long a, const void *b, Word c) {
  register long x8 asm("x8") = number;
  register long x0 asm("x0") = a;
  register const void *x1 asm("x1") = b;
  register Word x2 asm("x2") = c;
  asm volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
}

enum { RELATIVE = 1027, IRELATIVE = 1032 };

static void relocate(const Relocation *one, const Relocation *end, Word moved, Word wanted) {
  for (; one < end; one++) {
    if ((one->info & 0xffffffff) != wanted) continue;
    Word value = moved + one->addend;
    if (wanted == IRELATIVE) value = ((Word(*)(void))value)();
    *(Word *)(moved + one->place) = value;
  }
}

// Words of SHT_RELR: an address, then bits of the 63 words behind the last one.
static void relocate_packed(const Word *one, const Word *end, Word moved) {
  Word *place = 0;
  for (; one < end; one++) {
    if (!(*one & 1)) {
      place = (Word *)(moved + *one);
      *place++ += moved;
      continue;
    }
    for (int bit = 1; bit < 64; bit++)
      if (*one >> bit & 1) place[bit - 1] += moved;
    place += 63;
  }
}

static void relocate_all(const Word *tag, Word moved) {
  Word of[64] = {0};
  for (; tag[0]; tag += 2)
    if (tag[0] < 64) of[tag[0]] = tag[1];
  const char *dyn = (const char *)(moved + of[7]), *plt = (const char *)(moved + of[23]);
  const char *packed = (const char *)(moved + of[36]);
  relocate_packed((const Word *)packed, (const Word *)(packed + of[35]), moved);
  for (int pass = 0; pass < 2; pass++) {
    Word wanted = pass ? IRELATIVE : RELATIVE;
    relocate((const Relocation *)dyn, (const Relocation *)(dyn + of[8]), moved, wanted);
    relocate((const Relocation *)plt, (const Relocation *)(plt + of[2]), moved, wanted);
  }
}

static char thread_block[4096] __attribute__((aligned(64)));

HIDDEN __attribute__((used, noreturn)) void begin(Word *stack, const Word *tags) {
  Word *at = stack + 2 + stack[0];
  while (*at++) {}
  const Header *headers = 0, *tls = 0, *dynamic = 0;
  Word count = 0;
  for (; at[0]; at += 2) {
    if (at[0] == 3) headers = (const Header *)at[1];
    if (at[0] == 5) count = at[1];
  }
  for (; count--; headers++) {
    if (headers->type == 7) tls = headers;
    if (headers->type == 2) dynamic = headers;
  }
  Word moved = dynamic ? (Word)tags - dynamic->address : 0;
  if (dynamic)
    relocate_all(tags, moved);
  else
    relocate(__rela_iplt_start, __rela_iplt_end, 0, IRELATIVE);
  if (tls) {
    char *to = thread_block + (tls->align > 16 ? tls->align : 16);
    const char *from = (const char *)(moved + tls->address);
    for (Word n = 0; n < tls->file_size; n++) to[n] = from[n];
  }
  asm volatile("msr tpidr_el0, %0" : : "r"(thread_block));
  for (void (**one)(void) = __init_array_start; one < __init_array_end; one++) (*one)();
  int status = main((int)stack[0], (char **)(stack + 1));
  for (;;) call(93, status, 0, 0);
}

int printf(const char *format, ...) {
  char text[400], digits[20];
  Word size = 0;
  __builtin_va_list values;
  __builtin_va_start(values, format);
  for (; *format; format++) {
    if (*format != '%') {
      text[size++] = *format;
      continue;
    }
    int limit = 100, is_long = 0, count = 0;
    if (*++format == '.') limit = format[1] - '0', format += 2;
    if (*format == 'l') is_long = 1, format++;
    if (*format == 's') {
      const char *string = __builtin_va_arg(values, const char *);
      while (*string && limit--) text[size++] = *string++;
      continue;
    }
    long value = is_long ? __builtin_va_arg(values, long) : __builtin_va_arg(values, int);
    if (value < 0) text[size++] = '-', value = -value;
    int base = *format == 'x' ? 16 : 10;
    do {
      digits[count++] = "0123456789abcdef"[value % base];
      value /= base;
    } while (value);
    while (count) text[size++] = digits[--count];
  }
  __builtin_va_end(values);
  return (int)call(64, 1, text, size);
}

void *memcpy(void *to, const void *from, Word size) {
  for (Word n = 0; n < size; n++) ((char *)to)[n] = ((const char *)from)[n];
  return to;
}

void *memset(void *to, int byte, Word size) {
  for (Word n = 0; n < size; n++) ((char *)to)[n] = (char)byte;
  return to;
}

// operator delete(void *, unsigned long)
void _ZdlPvm(void *object, Word size) {}
