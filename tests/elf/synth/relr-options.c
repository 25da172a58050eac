// Either option packs relative relocations, and neither undoes the other; old Androids know them
// by other tags.
//# machines: x86-64 aarch64 addresses, and what is made of them, have eight bytes
//# driver: ld
//# compile: -fPIC
//# peers: lld
//# variant: z: main.o -shared -z pack-relative-relocs --pack-dyn-relocs=none
//# variant: relr: main.o -shared --pack-dyn-relocs=relr -z nopack-relative-relocs
//# variant: android: main.o -shared --pack-dyn-relocs=relr --use-android-relr-tags
//# section: .relr.dyn size>0
//# @z,relr dynamic: RELRENT value=8
//# @android no-dynamic: RELRENT
//# @android lint-except: dynamic-address the tags are others
static int v;
int *table[] = {&v, &v};
