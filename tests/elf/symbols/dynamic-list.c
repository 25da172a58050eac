// --dynamic-list names what a program exports.
//# link: -Wl,--dynamic-list=list.txt
//# dynsym: listed
//# dynsym: globbed_one
//# no-dynsym: other
int listed(void) { return 1; }
int globbed_one(void) { return 1; }
int other(void) { return 1; }
int main(void) { return 0; }
//# file: list.txt
{
  listed;
  globbed_*;
};
