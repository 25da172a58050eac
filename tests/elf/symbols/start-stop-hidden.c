// They are not exported by default, but may be.
//# driver: gcc
//# compile: -fPIC
//# variant: default:
//# variant: hidden: -Wl,-z,start-stop-visibility=hidden
//# link: -shared
//# @hidden no-dynsym: __start_table
//# @default dynsym: __start_table vis=PROTECTED
//# @hidden peers: lld
__attribute__((section("table"))) int a = 1;
extern int __start_table[];
int f(void) { return __start_table[0]; }
