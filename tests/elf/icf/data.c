// Data keeps its address where no table says that it is without meaning, unless the option says
// that no data's matters. Constants that hold addresses are folded, too, with their relocations.
//# peers: lld
//# compile: -O2 -fdata-sections -fPIE -fno-ipa-icf -fno-ipa-cp -fno-inline
//# variant: kept: -pie -Wl,--icf=all
//# variant: folded: -pie -Wl,--icf=all,--ignore-data-address-equality
//# variant: packed: -pie -Wl,--icf=all,--ignore-data-address-equality,-z,pack-relative-relocs
//# @kept symbol: words_b value!=symbol(words_a).value
//# @kept symbol: pointers_b value!=symbol(pointers_a).value
//# @folded,packed symbol: words_b value=symbol(words_a).value
//# @folded,packed symbol: pointers_b value=symbol(pointers_a).value
//# symbol: pointers_c value!=symbol(pointers_a).value
//# symbol: written_b value!=symbol(written_a).value
//# run
int place[2] = {3, 4};
const int words_a[3] = {1, 2, 3}, words_b[3] = {1, 2, 3};
int *const pointers_a[2] = {&place[0], &place[1]}, *const pointers_b[2] = {&place[0], &place[1]};
int *const pointers_c[2] = {&place[1], &place[0]};
int written_a[2] = {7, 8}, written_b[2] = {7, 8};
int main(int argc, char **argv) {
  written_a[0] += *pointers_a[argc] + *pointers_b[argc] + *pointers_c[argc];
  return written_a[0] != 7 + 4 + 4 + 3 || written_b[0] != 7 || words_a[argc] + words_b[argc] != 4;
}
