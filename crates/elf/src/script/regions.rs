//! The regions that `MEMORY` declares and the other names that `REGION_ALIAS` gives them, in the
//! order of the commands: an alias refers to a region declared before it, and a name may be given
//! once (GNU ld manual, "REGION_ALIAS"). This is checked even if nothing is laid out.

use super::statements::Region;
use super::text_script::{Command, PlacedCommand};
use skald_core::unordered::UnorderedMap;

/// GNU ld's name for memory in no region.
const NO_REGION: &[u8] = b"*default*";

/// The regions, and the messages about faulty declarations.
#[derive(Debug, Default)]
pub struct Declared {
    /// The regions, in order, each with all its names.
    pub regions: Vec<Region>,
    /// Errors of aliases that name no region, or one that has the name already.
    pub errors: Vec<String>,
    /// Regions that are declared again: the later declaration holds, as in GNU ld.
    pub warnings: Vec<String>,
    named: UnorderedMap<Vec<u8>, usize>,
}

impl Declared {
    /// What `commands` declare.
    pub fn new(commands: &[PlacedCommand]) -> Declared {
        let mut declared = Declared::default();
        for placed in commands {
            match &placed.command {
                Command::Memory(regions) => regions.iter().for_each(|own| declared.region(own)),
                Command::RegionAlias { alias, region } => {
                    let problem = declared.alias(alias, region);
                    let told = problem.map(|text| format!("{}: {text}", placed.place()));
                    declared.errors.extend(told);
                }
                _ => {}
            }
        }
        declared
    }

    fn region(&mut self, region: &Region) {
        let name = &region.names[0];
        let Some(&known) = self.named.get(name) else {
            self.named.insert(name.clone(), self.regions.len());
            self.regions.push(region.clone());
            return;
        };
        let (place, name) = (&region.place, String::from_utf8_lossy(name));
        self.warnings.push(format!("{place}: memory region {name} is declared again"));
        let names = std::mem::take(&mut self.regions[known].names);
        self.regions[known] = Region { names, ..region.clone() };
    }

    /// Gives a region another name; returns the error, if there is one.
    fn alias(&mut self, alias: &[u8], region: &[u8]) -> Option<String> {
        let shown = String::from_utf8_lossy;
        if [alias, region].contains(&NO_REGION) {
            return Some("an alias cannot be of the default memory region".to_owned());
        }
        if self.named.contains_key(alias) {
            return Some(format!("memory region {} is there already", shown(alias)));
        }
        let Some(&known) = self.named.get(region) else {
            return Some(format!("memory region {} is not declared", shown(region)));
        };
        self.regions[known].names.push(alias.to_vec());
        self.named.insert(alias.to_vec(), known);
        None
    }
}
