// Personality routines and LSDAs are reached from a PIE without text relocations.
//# link: -pie -Wl,-z,text
//# compile: -fPIE
//# run: exit=3
//# no-dynamic: TEXTREL
//# section: .gcc_except_table
int main() {
  try { throw 3; } catch (int x) { return x; }
}
