// Scripts that read maps of GNU ld read those of skald: the sizes of inputs and fill add up to that of
// their section, every file is found, and symbols lie in the section they follow.
//# requires: python3
//# compile: -O1 -fno-inline -ffunction-sections -fdata-sections -g
//# archive: libparts.a part.o
//# link: main.o libparts.a -Wl,-Map=list,--gc-sections,--cref
//# peers: ld
//# run
//# check: python3 read.py list $OUT
#include <stdio.h>
int part(int);
int table[1000] = {1};
static double __attribute__((aligned(256))) aligned[4];
int main(void) {
  printf("%d\n", part(table[2]));
  return aligned[1] != 0;
}
//# file: part.c
int unused_part(int x) { return x * 5; }
int part_with_a_long_name(int x) { return x * 3; }
int part(int x) { return part_with_a_long_name(x) + 1; }
//# file: read.py
import re, subprocess, sys

text = open(sys.argv[1]).read()
head, memory = text.split("\nMemory Configuration\n", 1)
memory, cref = memory.split("\nCross Reference Table\n", 1)
discarded = head.split("\nDiscarded input sections\n", 1)[1]
layout = memory.split("\nLinker script and memory map\n", 1)[1]

# As viewers of maps do it: a name, perhaps a line break, address, size, and what it is of.
entry = re.compile(r"^( ?)(\S+|\S.{13,}\n)[ ]*\n?[ ]+0x([0-9a-f]+)[ ]+0x([0-9a-f]+)(?:[ ]+(\S.*))?[ ]*$", re.M)
symbol = re.compile(r"^ {16}0x([0-9a-f]{16}) {16}(\w[\w@.]*)$", re.M)
source = re.compile(r" *(?P<archive>.+\.a)?\(?(?P<object>[^()]+\.(o|obj))\)?$")

outputs, inputs, where = {}, [], {}
for match in entry.finditer(layout):
    indent, name, address, size, of = match.groups()
    name, address, size = name.strip(), int(address, 16), int(size, 16)
    if not indent:
        outputs[name] = (address, size)
        current = name
    else:
        inputs.append((current, name, address, size, of))
for section in (".text", ".data"):
    address, size = outputs[section]
    total = sum(entry[3] for entry in inputs if entry[0] == section)
    assert total == size, (section, total, size)
    assert all(address <= entry[2] <= address + size for entry in inputs if entry[0] == section)
mains = [entry for entry in inputs if entry[1] == ".text.main"]
assert len(mains) == 1 and source.match(mains[0][4])["object"] == "main.o", mains
parts = [entry for entry in inputs if entry[1] == ".text.part_with_a_long_name"]
found = source.match(parts[0][4])
assert found["archive"].endswith("libparts.a") and found["object"] == "part.o", found.groups()
assert any(entry[1] == "*fill*" and entry[3] for entry in inputs)
assert ".text.unused_part" in discarded and "unused_part" not in layout

listed = {name: int(address, 16) for address, name in symbol.findall(layout)}
for line in subprocess.check_output(["nm", sys.argv[2]], text=True).splitlines():
    fields = line.split()
    if len(fields) == 3 and fields[2] in ("main", "part", "part_with_a_long_name", "table"):
        assert listed.pop(fields[2]) == int(fields[0], 16), line
assert re.search(r"^part {46}\S*libparts.a\(part.o\)\n {50}main.o$", cref, re.M), cref
assert re.search(r"^LOAD main\.o$", layout, re.M)
assert re.search(r"^OUTPUT\(.* elf64-x86-64\)$", layout, re.M)
