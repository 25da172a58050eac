// --build-id in each style has the length that it is known for.
//# variant: sha1: -Wl,--build-id=sha1
//# variant: md5: -Wl,--build-id=md5
//# variant: uuid: -Wl,--build-id=uuid
//# variant: given: -Wl,--build-id=0x1234abcd
//# variant: none: -Wl,--build-id=none
//# variant: default: -Wl,--build-id
//# run
//# @sha1,default note: GNU type=3 size=20 section=.note.gnu.build-id
//# @md5,uuid note: GNU type=3 size=16
//# @given note: GNU type=3 desc=1234abcd
//# @none no-section: .note.gnu.build-id
//# @sha1,md5 segment: NOTE sections~build-id
//# @default peers: ld
//# @uuid repeat-except: it is random
int main(void) { return 0; }
