# A word of the GOT has no parts: an addend would lead into its middle.
//# driver: ld
//# link: -shared
//# expect-error: relocation R_RISCV_GOT_HI20 to symbol 'other' cannot have the addend 4
//# expect-error: relocation R_RISCV_TLS_GOT_HI20 to symbol 'variable' cannot have the addend 8
//# peers: ld
.option pic
  la a0, other+4
  la.tls.ie a1, variable+8
