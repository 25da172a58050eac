// -z rodynamic: .dynamic is not writable, so the loader has no DT_DEBUG to write to.
//# link: -Wl,-z,rodynamic
//# section: .dynamic flags=A
//# segment: DYNAMIC flags=R
//# no-dynamic: DEBUG
//# peers: lld
int main(void) { return 0; }
