// -z rel: dynamic relocations without addends, which are in the places that are relocated.
//# machines: x86-64 aarch64 addresses, and what is made of them, have eight bytes
//# driver: gcc
//# compile: -fPIC -O1
//# variant: rel: -Wl,-z,rela,-z,rel
//# variant: rela: -Wl,-z,rel,-z,rela
//# link: -shared
//# @rel section: .rel.dyn type=REL entsize=16
//# @rel section: .rel.plt type=REL entsize=16
//# @rel no-section: .rela.dyn
//# @rel dynamic: REL value=section(.rel.dyn).address
//# @rel dynamic: RELENT value=16
//# @rel dynamic: PLTREL value=17
//# @rel dynamic: RELCOUNT
//# @rel word64: symbol(own).value = symbol(word).value+4
//# @rel word64: symbol(other).value = 12
//# @rela section: .rela.dyn type=RELA
//# @rela dynamic: RELAENT value=24
//# peers: lld
extern int imported[];
int call(void);
__attribute__((visibility("hidden"))) int word[2] = {1, 2};
int *own = &word[1];
int *other = &imported[3];
int f(void) { return call() + imported[0]; }
