# A symbol that is assigned an expression with one symbol has the type and visibility of that; of a
# condition the case counts that holds.
//# driver: ld
//# link: main.o -z noexecstack -shared -T layout.ld
//# symbol: inside type=FUNC vis=PROTECTED
//# symbol: alias type=FUNC vis=PROTECTED
//# symbol: both type=NOTYPE vis=DEFAULT
//# symbol: first type=OBJECT
//# symbol: second type=FUNC vis=PROTECTED
//# symbol: third type=OBJECT
//# symbol: fourth type=NOTYPE
//# symbol: fifth type=FUNC
//# symbol: sixth type=FUNC
//# symbol: number type=NOTYPE
//# lint-except: writable-code the script puts all into one segment
//# peers: ld
.globl inside
.protected inside
.type inside,@function
.text
inside: ret
.globl inner
.protected inner
.type inner,@function
inner: ret
.data
.globl var
.type var,@object
.size var,8
var: .quad 1
//# file: layout.ld
SECTIONS { .text : { *(.text) } .data : { *(.data) } alias = inside + 0; both = inside + inside;
  first = DEFINED(var) ? var : inside; second = DEFINED(nobody) ? var : inside; third = 0 ? inside : var + 4;
  fourth = inside - var; fifth = inside ? inside : inside;
  sixth = SIZEOF(.data) > 4 ? inner : inside; number = inside ? 5 : 6; }
