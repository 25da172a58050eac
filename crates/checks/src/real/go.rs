//! A Go program with C parts: Go's objects and gcc's in one link, in three kinds of output.

use super::{Done, Place, is_installed, output, prints};
use crate::Result;
use std::process::Command;

const MAIN: &str = r#"package main

/*
#include <stdlib.h>
int twice(int x);
int through_go(int x);
*/
import "C"
import (
	"fmt"
	"os/user"
	"sync"
)

//export triple
func triple(x C.int) C.int { return x * 3 }

func main() {
	var group sync.WaitGroup
	sums := make([]int, 8)
	for i := range sums {
		group.Add(1)
		go func() {
			defer group.Done()
			sums[i] = int(C.through_go(C.int(i)))
		}()
	}
	group.Wait()
	_, err := user.LookupId("0")
	defer func() { fmt.Println(C.twice(21), sums, err == nil, recover()) }()
	panic("caught")
}
"#;

const C_PART: &str = r#"#include "_cgo_export.h"
static __thread int calls;
int twice(int x) { return 2 * x; }
int through_go(int x) { calls++; return triple(x) + (calls > 0); }
"#;

pub(super) fn cgo(place: &Place) -> Result<Done> {
    if !is_installed("go", "version") {
        return Ok(Done::Skipped("there is no go".to_owned()));
    }
    let files = [("main.go", MAIN), ("part.c", C_PART), ("go.mod", "module cgo\ngo 1.22\n")];
    let project = place.project("cgo", &files)?;
    for (mode, option) in [("exe", ""), ("pie", ""), ("exe", "-static ")] {
        let flags = format!("-linkmode external -extldflags '{option}{}'", place.driver_option());
        let mut build = Command::new("go");
        build.args(["build", "-buildmode", mode, "-ldflags", &flags, "-o", "program", "."]);
        build.env("CGO_ENABLED", "1").env("GOCACHE", place.directory.join("go-cache"));
        output(build.current_dir(&project))?;
        let program = &mut Command::new(project.join("program"));
        prints(program, "42 [1 4 7 10 13 16 19 22] true caught\n")?;
    }
    Ok(Done::Right)
}
