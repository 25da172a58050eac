// --require-defined is -u that must be satisfied.
//# driver: gcc
//# archive: libx.a x.o
//# variant: present: -Wl,--require-defined=wanted libx.a
//# variant: absent: -Wl,--require-defined=absent libx.a
//# link: main.o
//# @present symbol: wanted section=.text
//# @absent expect-error: absent
//# peers: ld
int main(void) { return 0; }
//# file: x.c
int wanted(void) { return 1; }
