// -r keeps one of .gnu.linkonce sections of one name, and one of such a section and a group of the same
// function, as GNU ld does.
//# variant: twice: -r once.o again.o
//# variant: first: -r once.o group.o
//# variant: last: -r group.o once.o
//# variant: linked: -r group.o once.o call.o
//# @twice section: .gnu.linkonce.t.f size=6
//# @first section: .gnu.linkonce.t.f size=6
//# @first no-section: .text.f
//# @last no-section: .gnu.linkonce.t.f
//# @last section: .text.f size=6
//# symbol: f section~(.text.f|.gnu.linkonce.t.f)
//# peers: ld
//# file: once.s
.section .gnu.linkonce.t.f,"ax",@progbits
.weak f
.type f, @function
f: mov $1, %eax
  ret
//# file: again.s
.section .gnu.linkonce.t.f,"ax",@progbits
.weak f
.type f, @function
f: mov $2, %eax
  ret
//# file: group.s
.section .text.f,"axG",@progbits,f,comdat
.weak f
.type f, @function
f: mov $3, %eax
  ret
//# file: call.s
call f
