// Messages show C++ names as they were written; --no-demangle as they are.
//# variant: yes: -Wl,--demangle
//# variant: no: -Wl,--no-demangle
//# @yes expect-error: space::missing\(int\)
//# @no expect-error: _ZN5space7missingEi
namespace space {
int missing(int);
}
int main() { return space::missing(1); }
