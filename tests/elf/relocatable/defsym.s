// --defsym with -r: a number is absolute, an alias stays in its section, -u leaves a name open.
//# driver: ld
//# link: -r --defsym number=0x123 --defsym alias=f -u asked
//# symbol: number section=ABS value=0x123
//# symbol: alias section=.text value=symbol(f).value
//# symbol: asked section=UND bind=GLOBAL
//# peers: ld
.text
nop
.globl f
f: ret
