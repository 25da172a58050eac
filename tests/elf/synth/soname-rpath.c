// -soname, -rpath with and without new tags, auxiliary and filter libraries.
//# driver: gcc
//# compile: -fPIC
//# variant: new: -Wl,--enable-new-dtags
//# variant: old: -Wl,--disable-new-dtags
//# link: -shared -Wl,-soname,libme.so -Wl,-rpath,/a -Wl,-rpath,/b -Wl,-f,libaux.so -Wl,-F,libfilter.so
//# dynamic: SONAME libme.so
//# @new dynamic: RUNPATH /a:/b
//# @old dynamic: RPATH /a:/b
//# dynamic: AUXILIARY libaux.so
//# dynamic: FILTER libfilter.so
int f(void) { return 0; }
