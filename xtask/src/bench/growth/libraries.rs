//! Shared libraries: their number, exports, imports and DT_NEEDED entries.

use super::dimension::{Dimension, grows};
use crate::corpus::synthetic::code::Code;
use crate::corpus::synthetic::input::Input;
use crate::corpus::synthetic::library::Library;
use crate::corpus::synthetic::object::{ABS64, Target};

pub const ROWS: &[Dimension] = &[
    grows("libraries", 300, libraries),
    grows("libraries-needing-others", 300, libraries_in_a_chain),
    grows("library-exports", 50_000, exports),
    grows("library-imports", 30_000, imports),
    grows("library-versions", 3000, versions),
    grows("library-hidden-versions", 30_000, hidden_versions),
    grows("imports-called", 10_000, imports_called),
    grows("imports-taken", 10_000, imports_taken),
    grows("imports-copied", 10_000, imports_copied),
];

fn libraries(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    for number in 0..n {
        main.call(&format!("f_{number}"));
    }
    input.code("main.o", &main);
    for number in 0..n {
        let mut library = Library::new(&format!("lib{number}.so"));
        for which in 0..40 {
            library.export(&format!("of_{number}_{which}"));
        }
        library.export(&format!("f_{number}"));
        input.library(&format!("libraries/lib{number}.so"), &library);
    }
}

/// Only the first library is on the command line; each needs the next one and refers to it.
fn libraries_in_a_chain(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    main.call("f_0");
    input.code("main.o", &main);
    input.words(["-rpath-link", "libraries"].map(String::from));
    input.word("libraries/lib0.so");
    for number in 0..n {
        let mut library = Library::new(&format!("lib{number}.so"));
        library.export(&format!("f_{number}"));
        if number + 1 < n {
            library.import(&format!("f_{}", number + 1));
            library.need(&format!("lib{}.so", number + 1));
        }
        input.file(&format!("libraries/lib{number}.so"), &library.write());
    }
}

fn exports(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    main.call("exported_0");
    input.code("main.o", &main);
    let mut library = Library::new("libx.so");
    for number in 0..n {
        library.export(&format!("exported_{number}"));
    }
    input.library("libx.so", &library);
}

/// One library defines the symbols that another leaves undefined.
fn imports(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    main.call("used");
    input.code("main.o", &main);
    let mut user = Library::new("libuser.so");
    let mut provider = Library::new("libprovider.so");
    user.export("used");
    user.need("libprovider.so");
    for number in 0..n {
        user.import(&format!("between_{number}"));
        provider.export(&format!("between_{number}"));
    }
    input.library("libuser.so", &user);
    input.library("libprovider.so", &provider);
}

fn versions(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    let mut library = Library::new("libx.so");
    for number in 0..n {
        let version = library.version(&format!("VERSION_{number}"));
        library.export_as(&format!("f_{number}"), version, true);
        main.call(&format!("f_{number}"));
    }
    input.code("main.o", &main);
    input.library("libx.so", &library);
}

/// Each name has a version for old programs beside the one that is linked with.
fn hidden_versions(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    let mut library = Library::new("libx.so");
    let (old, new) = (library.version("OLD"), library.version("NEW"));
    for number in 0..n {
        let name = format!("f_{number}");
        library.export_as(&name, old, false);
        library.export_as(&name, new, true);
        if number % 10 == 0 {
            main.call(&name);
        }
    }
    input.code("main.o", &main);
    input.library("libx.so", &library);
}

fn library_of(n: u64, input: &mut Input) {
    let mut library = Library::new("libx.so");
    for number in 0..n {
        library.export(&format!("f_{number}"));
    }
    input.library("libx.so", &library);
}

fn imports_called(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    for number in 0..n {
        main.call(&format!("f_{number}"));
    }
    input.code("main.o", &main);
    library_of(n, input);
}

fn imports_taken(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    for number in 0..n {
        main.point_at(&format!("f_{number}"));
    }
    input.code("main.o", &main);
    library_of(n, input);
    input.word("-pie");
}

/// Variables whose addresses are in code that cannot be relocated.
fn imports_copied(n: u64, input: &mut Input) {
    let mut main = Code::starting();
    let mut library = Library::new("libx.so");
    let text = main.text();
    for number in 0..n {
        let name = format!("variable_{number}");
        library.export_data(&name);
        let symbol = main.object.global(&name);
        let place = main.object.data(text).len();
        main.object.data(text).extend([0; 8]);
        main.object.relocate(text, place, ABS64, Target::Global(symbol), 0);
    }
    input.code("main.o", &main);
    input.library("libx.so", &library);
}
