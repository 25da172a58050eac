// -z pack-relative-relocs packs relative relocations.
//# compile: -fPIE
//# link: -pie -Wl,-z,pack-relative-relocs
//# run: exit=21
//# reloc: RELR place=symbol(table).value
//# reloc: RELR count>=6
//# no-reloc: R_X86_64_RELATIVE
//# dynamic: RELRENT value=8
//# dynamic: RELR value=section(.relr.dyn).address
//# version: GLIBC_ABI_DT_RELR kind=need file=libc.so.6
static int v[] = {1, 2, 3, 4, 5, 6};
int *table[] = {&v[0], &v[1], &v[2], &v[3], &v[4], &v[5]};
int main(void) {
  int sum = 0;
  for (int i = 0; i < 6; i++) sum += *table[i];
  return sum;
}
