// Without --eh-frame-hdr there is none; with it, a segment points to it.
//# driver: ld
//# compile: -fno-pie
//# variant: yes: --eh-frame-hdr
//# variant: no:
//# link: -static -e f
//# @yes segment: GNU_EH_FRAME address=section(.eh_frame_hdr).address
//# @yes bytes: .eh_frame_hdr = 01 1b 03 3b
//# @no no-section: .eh_frame_hdr
//# @no no-segment: GNU_EH_FRAME
int f(void) { return 1; }
