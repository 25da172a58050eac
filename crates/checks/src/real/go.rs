//! A Go program with C parts: Go's objects and gcc's in one link, in several kinds of output, for
//! this machine and others.

use super::cross::Target;
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
    prove(place, None)
}

/// The same for another machine.
pub(super) fn cgo_for(place: &Place, target: &Target) -> Result<Done> {
    match target.missing(&[]) {
        Some(missing) => Ok(Done::Skipped(missing)),
        None => prove(place, Some(target)),
    }
}

fn prove(place: &Place, target: Option<&Target>) -> Result<Done> {
    if !is_installed("go", "version") {
        return Ok(Done::Skipped("there is no go".to_owned()));
    }
    let files = [("main.go", MAIN), ("part.c", C_PART), ("go.mod", "module cgo\ngo 1.22\n")];
    let name = target.map_or("cgo".to_owned(), |target| format!("cgo-{}", target.go));
    let project = place.project(&name, &files)?;
    for (mode, option) in
        [("exe", ""), ("pie", ""), ("pie", "-Wl,--no-relax "), ("exe", "-static ")]
    {
        let flags = format!("-linkmode external -extldflags '{option}{}'", place.driver_option());
        let mut build = Command::new("go");
        build.args(["build", "-buildmode", mode, "-ldflags", &flags, "-o", "program", "."]);
        build.env("CGO_ENABLED", "1").env("GOCACHE", place.directory.join("go-cache"));
        if let Some(target) = target {
            build.env("GOARCH", target.go).env("CC", target.program("gcc"));
        }
        output(build.current_dir(&project))?;
        let program = project.join("program");
        let mut program =
            target.map_or_else(|| Command::new(&program), |target| target.command(&program));
        prints(&mut program, "42 [1 4 7 10 13 16 19 22] true caught\n")
            .map_err(|message| format!("{mode} {option}: {message}"))?;
    }
    Ok(Done::Right)
}
