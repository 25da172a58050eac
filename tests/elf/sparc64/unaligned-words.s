# Words at any address get the loader's type for such, with a symbol and without.
//# driver: ld
//# link: -shared
//# reloc: R_SPARC_UA64 symbol=elsewhere
//# reloc: R_SPARC_UA64 symbol= addend=symbol(own).value
//# reloc: R_SPARC_RELATIVE addend=symbol(own).value
//# peers: none
.data
.align 8
own:
  .byte 1
  .uaxword own
  .uaxword elsewhere
.align 8
  .xword own
