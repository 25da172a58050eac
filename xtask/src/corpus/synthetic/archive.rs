//! Writes archives in GNU's format: an index of symbols, long names, members.

/// A member: its name, its bytes, and the names that it defines.
pub struct Member {
    /// The file's name.
    pub name: String,
    /// The object.
    pub bytes: Vec<u8>,
    /// The names that the index lists for it.
    pub symbols: Vec<String>,
}

/// The bytes of an archive with an index.
pub fn write(members: &[Member]) -> Vec<u8> {
    let mut long_names = Vec::new();
    let mut name_offsets = Vec::new();
    for member in members {
        name_offsets.push(long_names.len());
        long_names.extend(format!("{}/\n", member.name).bytes());
    }
    let names: Vec<(usize, &str)> = members
        .iter()
        .enumerate()
        .flat_map(|(at, member)| member.symbols.iter().map(move |name| (at, name.as_str())))
        .collect();
    let index_size: usize = 4 + names.iter().map(|(_, name)| 4 + name.len() + 1).sum::<usize>();
    let padded = |size: usize| size.next_multiple_of(2);
    let mut next = 8 + 60 + padded(index_size) + 60 + padded(long_names.len());
    let mut offsets = Vec::new();
    for member in members {
        offsets.push(next as u32);
        next += 60 + padded(member.bytes.len());
    }
    let mut index = (names.len() as u32).to_be_bytes().to_vec();
    index.extend(names.iter().flat_map(|(at, _)| offsets[*at].to_be_bytes()));
    index.extend(names.iter().flat_map(|(_, name)| name.bytes().chain([0])));

    let mut out = b"!<arch>\n".to_vec();
    push(&mut out, "/", &index);
    push(&mut out, "//", &long_names);
    for (member, offset) in members.iter().zip(name_offsets) {
        push(&mut out, &format!("/{offset}"), &member.bytes);
    }
    out
}

fn push(out: &mut Vec<u8>, name: &str, content: &[u8]) {
    let size = content.len();
    out.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644).bytes());
    out.extend(content);
    if !out.len().is_multiple_of(2) {
        out.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_leads_to_members() {
        let member = |name: &str, bytes: &[u8]| Member {
            name: name.into(),
            bytes: bytes.into(),
            symbols: vec![format!("symbol_of_{name}")],
        };
        let bytes = write(&[member("first.o", b"abc"), member("second.o", b"defg")]);
        let at = |place: usize| u32::from_be_bytes(bytes[place..place + 4].try_into().unwrap());
        assert_eq!(at(68), 2);
        let second = at(76) as usize;
        assert_eq!(&bytes[second..second + 4], b"/9  ");
        assert_eq!(&bytes[second + 60..], b"defg");
    }
}
