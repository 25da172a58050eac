//! The messages between linker and helper: a kind, a length, and parts that are numbers or byte
//! strings, in native byte order.

use std::io::{self, Read, Write};

/// A symbol of intermediate code, as the plugin describes it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Symbol {
    /// Name of the symbol.
    pub name: Vec<u8>,
    /// The version of the name; empty for none.
    pub version: Vec<u8>,
    /// [`def`]: whether it is a definition, and of what kind.
    pub def: u8,
    /// LDST_*: 1 for a function, 2 for a variable, 0 if the plugin does not say.
    pub symbol_type: u8,
    /// LDSSK_*: 1 for a variable without a value in the file.
    pub section_kind: u8,
    /// LDPV_*: 0 default, 1 protected, 2 internal, 3 hidden.
    pub visibility: u8,
    /// Size in bytes.
    pub size: u64,
    /// The COMDAT group that it is in; empty for none.
    pub comdat_key: Vec<u8>,
}

/// Values of [`Symbol::def`] (LDPK_*).
#[allow(missing_docs)]
pub mod def {
    pub const DEF: u8 = 0;
    pub const WEAK_DEF: u8 = 1;
    pub const UNDEF: u8 = 2;
    pub const WEAK_UNDEF: u8 = 3;
    pub const COMMON: u8 = 4;
}

/// The resolution of a symbol (LDPR_*), which tells the plugin which definition of the name
/// prevails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Resolution {
    /// No file of the link defines the symbol.
    Undefined = 1,
    /// This definition prevails, and regular objects refer to it.
    PrevailingDef = 2,
    /// This definition prevails, and only intermediate code refers to it.
    PrevailingDefIrOnly = 3,
    /// A definition in a regular object prevails.
    PreemptedReg = 4,
    /// Another definition in intermediate code prevails.
    PreemptedIr = 5,
    /// The reference is resolved to a definition in intermediate code.
    ResolvedIr = 6,
    /// The reference is resolved to a definition in a regular object.
    ResolvedExec = 7,
    /// The reference is resolved to a definition in a shared object.
    ResolvedDyn = 8,
    /// This definition prevails. Only intermediate code refers to it in this link, but it is
    /// exported, so other modules may refer to it at run time.
    PrevailingDefIrOnlyExp = 9,
}

/// A file that the plugin may claim.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct File {
    /// Path of the file, or of the archive that it is in.
    pub path: Vec<u8>,
    /// The name that is shown to the plugin; empty for the path.
    pub name: Vec<u8>,
    /// Offset of the file in an archive.
    pub offset: u64,
    /// Its size in bytes.
    pub size: u64,
    /// The file is linked in any case, or was already requested.
    pub is_used: bool,
}

/// How the helper starts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Start {
    /// Path of the plugin.
    pub plugin: Vec<u8>,
    /// Options for it, in order.
    pub options: Vec<Vec<u8>>,
    /// LDPO_*: 0 relocatable, 1 executable, 2 shared object, 3 position-independent executable.
    pub output_kind: u8,
    /// Path of the output.
    pub output: Vec<u8>,
    /// Names of `--wrap`.
    pub wraps: Vec<Vec<u8>>,
}

/// A file or option that a plugin adds to the link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Added {
    /// Path of an object file.
    File(Vec<u8>),
    /// Name of a library, as behind `-l`.
    Library(Vec<u8>),
    /// A directory in which libraries are searched.
    LibraryPath(Vec<u8>),
    /// The next section in the order that the plugin requests: the number of the file, in the order
    /// of offering, and the index of the section in it.
    Section(u32, u32),
    /// The following sections get a segment of their own: name of the output section, flags and
    /// alignment of the segment, and number of these sections.
    Segment(Vec<u8>, u64, u64, u64),
}

/// A message of the linker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Load the plugin.
    Start(Start),
    /// Offer it a file.
    Claim(File),
    /// There is nothing to do for a while; there is no reply.
    Rest,
    /// All inputs have been read. For each offered file: one [`Resolution`] for each symbol, or
    /// `None` if the file is not linked.
    AllRead(Vec<Option<Vec<u8>>>),
}

/// A message of the helper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The plugin has been loaded.
    Started,
    /// The plugin has claimed the file with these symbols; `None` if it has not claimed it.
    Claimed(Option<Vec<Symbol>>),
    /// The plugin has added these to the link.
    Added(Vec<Added>),
    /// A message of the plugin or the helper: LDPL_* (0 information to 3 fatal), and the text.
    Message(u8, Vec<u8>),
    /// The request failed.
    Failed(Vec<u8>),
}

/// Maximum length of a message in bytes; a larger length is malformed.
const LONGEST: usize = 1 << 32;

/// Writes the parts of a message.
#[derive(Default)]
struct Parts(Vec<u8>);

impl Parts {
    fn number(&mut self, number: u64) -> &mut Parts {
        self.0.extend_from_slice(&number.to_ne_bytes());
        self
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Parts {
        self.number(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    fn list<T>(&mut self, all: &[T], mut one: impl FnMut(&mut Parts, &T)) -> &mut Parts {
        self.number(all.len() as u64);
        for item in all {
            one(self, item);
        }
        self
    }

    fn send(&self, kind: u8, to: &mut impl Write) -> io::Result<()> {
        let mut message = Vec::with_capacity(self.0.len() + 9);
        message.push(kind);
        message.extend_from_slice(&(self.0.len() as u64).to_ne_bytes());
        message.extend_from_slice(&self.0);
        to.write_all(&message)
    }
}

/// Reads the parts of a message.
struct Reader<'a>(&'a [u8]);

fn malformed() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "malformed message")
}

impl<'a> Reader<'a> {
    fn number(&mut self) -> io::Result<u64> {
        let (first, rest) = self.0.split_first_chunk().ok_or_else(malformed)?;
        self.0 = rest;
        Ok(u64::from_ne_bytes(*first))
    }

    fn small(&mut self) -> io::Result<u8> {
        u8::try_from(self.number()?).map_err(|_| malformed())
    }

    fn bytes(&mut self) -> io::Result<&'a [u8]> {
        let length = usize::try_from(self.number()?).map_err(|_| malformed())?;
        let (bytes, rest) = self.0.split_at_checked(length).ok_or_else(malformed)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> io::Result<T>) -> io::Result<Vec<T>> {
        let count = self.number()?;
        (0..count).map(|_| one(self)).collect()
    }
}

/// The kind and the parts of the next message; `None` at the end.
fn receive(from: &mut impl Read) -> io::Result<Option<(u8, Vec<u8>)>> {
    let mut kind = [0];
    if from.read(&mut kind)? == 0 {
        return Ok(None);
    }
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let length = usize::try_from(u64::from_ne_bytes(length)).map_err(|_| malformed())?;
    if length > LONGEST {
        return Err(malformed());
    }
    let mut parts = Vec::new();
    from.take(length as u64).read_to_end(&mut parts)?;
    if parts.len() != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some((kind[0], parts)))
}

impl Request {
    /// Sends the message.
    ///
    /// # Errors
    /// Those of writing.
    pub fn send(&self, to: &mut impl Write) -> io::Result<()> {
        let mut parts = Parts::default();
        let kind = match self {
            Request::Start(start) => {
                let each = |parts: &mut Parts, one: &Vec<u8>| {
                    parts.bytes(one);
                };
                parts.bytes(&start.plugin).list(&start.options, each);
                parts.number(start.output_kind.into()).bytes(&start.output);
                parts.list(&start.wraps, each);
                b's'
            }
            Request::Claim(File { path, name, offset, size, is_used }) => {
                parts
                    .bytes(path)
                    .bytes(name)
                    .number(*offset)
                    .number(*size)
                    .number((*is_used).into());
                b'c'
            }
            Request::Rest => b'r',
            Request::AllRead(files) => {
                parts.list(files, |parts, file| match file {
                    Some(resolutions) => {
                        parts.number(1).bytes(resolutions);
                    }
                    None => {
                        parts.number(0);
                    }
                });
                b'a'
            }
        };
        parts.send(kind, to)
    }

    /// The next request; `None` if the linker has ended.
    ///
    /// # Errors
    /// Those of reading, and of a malformed message.
    pub fn receive(from: &mut impl Read) -> io::Result<Option<Request>> {
        let Some((kind, parts)) = receive(from)? else { return Ok(None) };
        let mut reader = Reader(&parts);
        let owned = |reader: &mut Reader<'_>| reader.bytes().map(<[u8]>::to_vec);
        Ok(Some(match kind {
            b's' => Request::Start(Start {
                plugin: owned(&mut reader)?,
                options: reader.list(owned)?,
                output_kind: reader.small()?,
                output: owned(&mut reader)?,
                wraps: reader.list(owned)?,
            }),
            b'c' => Request::Claim(File {
                path: owned(&mut reader)?,
                name: owned(&mut reader)?,
                offset: reader.number()?,
                size: reader.number()?,
                is_used: reader.number()? != 0,
            }),
            b'r' => Request::Rest,
            b'a' => Request::AllRead(reader.list(|reader| {
                Ok(if reader.number()? != 0 { Some(owned(reader)?) } else { None })
            })?),
            _ => return Err(malformed()),
        }))
    }
}

impl Reply {
    /// Sends the message.
    ///
    /// # Errors
    /// Those of writing.
    pub fn send(&self, to: &mut impl Write) -> io::Result<()> {
        let mut parts = Parts::default();
        let kind = match self {
            Reply::Started => b'S',
            Reply::Claimed(symbols) => {
                parts.number(symbols.is_some().into());
                parts.list(symbols.as_deref().unwrap_or_default(), |parts, symbol| {
                    let small = [symbol.def, symbol.symbol_type, symbol.section_kind];
                    parts.bytes(&symbol.name).bytes(&symbol.version).bytes(&small);
                    parts.number(symbol.visibility.into()).number(symbol.size);
                    parts.bytes(&symbol.comdat_key);
                });
                b'C'
            }
            Reply::Added(added) => {
                parts.list(added, |parts, added| match added {
                    Added::File(path) => {
                        parts.number(0).bytes(path);
                    }
                    Added::Library(name) => {
                        parts.number(1).bytes(name);
                    }
                    Added::LibraryPath(path) => {
                        parts.number(2).bytes(path);
                    }
                    Added::Section(file, index) => {
                        parts.number(3).number((*file).into()).number((*index).into());
                    }
                    Added::Segment(name, flags, align, count) => {
                        parts.number(4).bytes(name).number(*flags).number(*align).number(*count);
                    }
                });
                b'A'
            }
            Reply::Message(level, text) => {
                parts.number((*level).into()).bytes(text);
                b'M'
            }
            Reply::Failed(text) => {
                parts.bytes(text);
                b'F'
            }
        };
        parts.send(kind, to)
    }

    /// The next reply; `None` if the helper has ended.
    ///
    /// # Errors
    /// Those of reading, and of a malformed message.
    pub fn receive(from: &mut impl Read) -> io::Result<Option<Reply>> {
        let Some((kind, parts)) = receive(from)? else { return Ok(None) };
        let mut reader = Reader(&parts);
        let owned = |reader: &mut Reader<'_>| reader.bytes().map(<[u8]>::to_vec);
        Ok(Some(match kind {
            b'S' => Reply::Started,
            b'C' => {
                let is_claimed = reader.number()? != 0;
                let symbols = reader.list(|reader| {
                    let (name, version) = (owned(reader)?, owned(reader)?);
                    let &[def, symbol_type, section_kind] = reader.bytes()? else {
                        return Err(malformed());
                    };
                    let (visibility, size) = (reader.small()?, reader.number()?);
                    let comdat_key = owned(reader)?;
                    Ok(Symbol {
                        name,
                        version,
                        def,
                        symbol_type,
                        section_kind,
                        visibility,
                        size,
                        comdat_key,
                    })
                })?;
                Reply::Claimed(is_claimed.then_some(symbols))
            }
            b'A' => Reply::Added(reader.list(|reader| {
                Ok(match reader.number()? {
                    0 => Added::File(owned(reader)?),
                    1 => Added::Library(owned(reader)?),
                    2 => Added::LibraryPath(owned(reader)?),
                    3 => Added::Section(reader.number()? as u32, reader.number()? as u32),
                    4 => Added::Segment(
                        owned(reader)?,
                        reader.number()?,
                        reader.number()?,
                        reader.number()?,
                    ),
                    _ => return Err(malformed()),
                })
            })?),
            b'M' => Reply::Message(reader.small()?, owned(&mut reader)?),
            b'F' => Reply::Failed(owned(&mut reader)?),
            _ => return Err(malformed()),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_sent() {
        let text = |text: &str| text.as_bytes().to_vec();
        let requests = [
            Request::Start(Start {
                plugin: text("p.so"),
                options: vec![text("-a"), text("")],
                output_kind: 3,
                output: text("a.out"),
                wraps: vec![text("f")],
            }),
            Request::Claim(File {
                path: text("a.o"),
                name: text("b"),
                offset: 8,
                size: 1 << 40,
                is_used: true,
            }),
            Request::Rest,
            Request::AllRead(vec![None, Some(vec![1, 9]), Some(Vec::new())]),
        ];
        let mut stream = Vec::new();
        requests.iter().for_each(|request| request.send(&mut stream).expect("memory"));
        let mut from = &stream[..];
        for request in requests {
            assert_eq!(Request::receive(&mut from).expect("whole"), Some(request));
        }
        assert_eq!(Request::receive(&mut from).expect("the end"), None);
        let symbol = Symbol { name: text("f"), def: def::COMMON, size: 7, ..Symbol::default() };
        let replies = [
            Reply::Started,
            Reply::Claimed(Some(vec![symbol])),
            Reply::Claimed(None),
            Reply::Added(vec![
                Added::File(text("x.o")),
                Added::Library(text("m")),
                Added::LibraryPath(text("/l")),
                Added::Section(1, 2),
                Added::Segment(text(".s"), 5, 4096, 1),
            ]),
            Reply::Message(2, text("bad")),
            Reply::Failed(text("no")),
        ];
        let mut stream = Vec::new();
        replies.iter().for_each(|reply| reply.send(&mut stream).expect("memory"));
        let mut from = &stream[..];
        for reply in replies {
            assert_eq!(Reply::receive(&mut from).expect("whole"), Some(reply));
        }
        for end in 1..stream.len() {
            let mut from = &stream[..end];
            while let Ok(Some(_)) = Reply::receive(&mut from) {}
        }
    }
}
