// A dynamic list is also looked for in the library directories, and so is a version script.
int listed(void) { return 1; }
int other(void) { return 1; }
int main(void) { return 0; }
//# file: lists/list.txt
{ listed; };
//# file: lists/versions.txt
V1 { global: *; };
//# link: -Wl,-Llists,--dynamic-list=list.txt,--dependency-file=out.d
//# dynsym: listed
//# no-dynsym: other
//# @both dynsym: listed@@V1
//# variant: one:
//# variant: both: -Wl,--version-script=versions.txt
//# file-matches: out.d lists/list\.txt
//# peers: none
