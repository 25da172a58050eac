// Type units and macros are in groups of their own, to which nothing refers.
//# compile: -g3 -ffunction-sections
//# variant: five: -Wl,--gc-sections | -gdwarf-5 -fdebug-types-section
//# variant: four: -Wl,--gc-sections | -gdwarf-4 -fdebug-types-section
//# check: readelf --debug-dump=macro $OUT | grep -q 'name : __x86_64__\|__x86_64__ 1'
//# check: readelf --debug-dump=info $OUT | grep -q 'DW_TAG_type_unit\|Signature:'
//# run
struct Kept {
  int first = 0;
  virtual ~Kept() {}
};
int main() { return Kept().first; }
