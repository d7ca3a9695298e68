//! Import cycles between the modules of a crate have at most two modules.
//!
//! A module is a file; a parent and its child are two modules. The import of a re-exported name
//! counts as an import from the module that defines the name. `mod` does not count as an import.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::read_to_string;
use std::path::Path;

use crate::layers::{code, root};

/// The path of a module from the root of its crate, such as `search::limits`. The path of the root
/// is empty.
type Module = Vec<String>;

struct Crate {
    modules: BTreeMap<Module, String>,
    /// For each module, the paths of its re-exported names.
    re_exports: BTreeMap<Module, BTreeMap<String, String>>,
}

/// All paths of a `use`, with braces expanded.
fn paths_of(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((prefix, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap();
        return vec![path.trim().to_owned()];
    };
    let group = rest.strip_suffix('}').unwrap();
    let (mut depth, mut start, mut paths) = (0, 0, Vec::new());
    for (at, sign) in group.char_indices().chain([(group.len(), ',')]) {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let item = &group[start..at];
                if !item.trim().is_empty() {
                    let paths_of_item = paths_of(item).into_iter();
                    paths.extend(paths_of_item.map(|path| format!("{prefix}{path}")));
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    paths
}

fn is_in_path(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_' || sign == ':'
}

impl Crate {
    fn read(source: &Path) -> Self {
        let module_of = |path: &Path| -> Module {
            let path = path.strip_prefix(source).unwrap().with_extension("");
            let parts = path.iter().map(|part| part.to_str().unwrap().to_owned());
            parts
                .filter(|part| !["lib", "main", "mod"].contains(&&**part))
                .collect()
        };
        // A folder with a main.rs is a separate program.
        let is_own = |path: &Path| {
            let mut folders = path
                .ancestors()
                .skip(1)
                .take_while(|folder| *folder != source);
            folders.all(|folder| !folder.join("main.rs").exists())
        };
        let files = code(source).into_iter().filter(|(path, _)| is_own(path));
        let modules: BTreeMap<Module, String> =
            files.map(|(path, code)| (module_of(&path), code)).collect();
        let mut all = Self {
            modules,
            re_exports: BTreeMap::new(),
        };
        for (module, code) in &all.modules {
            let mut names = BTreeMap::new();
            for (_, tree) in uses(code).into_iter().filter(|(is_public, _)| *is_public) {
                for path in paths_of(&tree) {
                    let name = path.rsplit("::").next().unwrap().to_owned();
                    names.insert(name, path);
                }
            }
            all.re_exports.insert(module.clone(), names);
        }
        all
    }

    /// The module that `path` refers to if it is used in the module `from`. `None` if that module
    /// belongs to another crate.
    fn target(&self, from: &Module, path: &str, depth: usize) -> Option<Module> {
        let mut parts = path.split("::").peekable();
        let mut at = from.clone();
        match *parts.peek()? {
            "crate" => {
                at.clear();
                parts.next();
            }
            "self" => drop(parts.next()),
            "super" => {
                while parts.next_if_eq(&"super").is_some() {
                    at.pop();
                }
            }
            first => {
                let child = [&from[..], &[first.to_owned()]].concat();
                self.modules.get(&child)?;
            }
        }
        while let Some(part) = parts.peek() {
            let child = [&at[..], &[(*part).to_owned()]].concat();
            if !self.modules.contains_key(&child) {
                let names = self.re_exports.get(&at)?;
                let path = names.get(*part).filter(|_| depth < 5);
                let owner = path.and_then(|path| self.target(&at, path, depth + 1));
                return Some(owner.unwrap_or(at));
            }
            at = child;
            parts.next();
        }
        Some(at)
    }

    /// The modules that a module imports from.
    fn imports(&self, module: &Module, code: &str) -> BTreeSet<Module> {
        let trees = uses(code);
        let mut paths: Vec<String> = trees.iter().flat_map(|(_, tree)| paths_of(tree)).collect();
        let mut rest = code.to_owned();
        for (_, tree) in &trees {
            rest = rest.replace(tree.as_str(), "");
        }
        // Paths in expressions and types are imports too, although they have no `use`.
        let below = self
            .modules
            .keys()
            .filter(|other| other.starts_with(module));
        let below = below.filter_map(|other| other.get(module.len()));
        let children: BTreeSet<&str> = below.map(String::as_str).collect();
        for path in rest.split(|sign| !is_in_path(sign)) {
            let Some((first, _)) = path.split_once("::") else {
                continue;
            };
            if ["crate", "super", "self"].contains(&first) || children.contains(first) {
                paths.push(path.trim_end_matches(':').to_owned());
            }
        }
        let paths = paths.iter().map(|path| path.trim_end_matches("::*"));
        let targets = paths.filter_map(|path| self.target(module, path, 0));
        targets.filter(|target| target != module).collect()
    }
}

/// The `use` declarations of a module: whether the declaration is public, and its tree.
fn uses(code: &str) -> Vec<(bool, String)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let line = code[..at].rsplit('\n').next().unwrap().trim();
        let is_public = line.starts_with("pub");
        if line.is_empty() || (is_public && !line.contains(['{', '=', ';'])) {
            let tree = code[at + 4..].split(';').next().unwrap();
            found.push((is_public, tree.to_owned()));
        }
    }
    found
}

/// The modules that can be reached from a module, including the module itself if it is in a cycle.
fn reached(imports: &BTreeMap<&Module, BTreeSet<Module>>, from: &Module) -> BTreeSet<Module> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&Module> = vec![from];
    while let Some(module) = open.pop() {
        for next in imports.get(module).into_iter().flatten() {
            if found.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    found
}

#[test]
fn import_cycles_have_at_most_two_modules() {
    let sources = [
        "puzzle/src",
        "pdb-table/src",
        "pdb-gen/src",
        "solver/src",
        "lab/src",
        "command/src",
        "cli/src/pdb_gen_verbs",
        "cli/src/solver_verbs",
        "pdb-dist/src",
        "server/src",
        "capi/src",
        "python/src",
        "wasm/src",
    ];
    for source in sources {
        let read = Crate::read(&root().join("crates").join(source));
        let below_root = read.modules.iter().filter(|(module, _)| !module.is_empty());
        let imports: BTreeMap<&Module, BTreeSet<Module>> = below_root
            .map(|(module, code)| (module, read.imports(module, code)))
            .collect();
        assert!(imports.values().any(|of| !of.is_empty()), "{source}");
        let reached: BTreeMap<&Module, BTreeSet<Module>> = imports
            .keys()
            .map(|module| (*module, reached(&imports, module)))
            .collect();
        for (module, found) in &reached {
            let leads_back = |other: &&Module| {
                let of_other = reached.get(*other);
                of_other.is_some_and(|of_other| of_other.contains(*module))
            };
            let ring: Vec<String> = found
                .iter()
                .filter(leads_back)
                .map(|module| module.join("::"))
                .collect();
            assert!(ring.len() <= 2, "a ring of modules in {source}: {ring:?}");
        }
    }
}

/// Tests the crates whose `lib.rs` lists the root modules from the lowest to the highest.
#[test]
fn root_modules_import_only_modules_listed_before_them() {
    for name in ["pdb-gen", "solver", "server"] {
        let source = root().join(format!("crates/{name}/src"));
        let lib = read_to_string(source.join("lib.rs")).unwrap();
        let rows = lib.lines().filter_map(|line| {
            let row = line.strip_prefix("//! - `");
            let row = row.or_else(|| line.strip_prefix("// - `"))?;
            row.split("`: ").next()
        });
        let order: Vec<&str> = rows.flat_map(|names| names.split("`, `")).collect();
        let declared = lib.lines().filter_map(|line| {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            line.strip_prefix("mod ")?.strip_suffix(';')
        });
        let sorted: BTreeSet<&str> = order.iter().copied().collect();
        assert_eq!(sorted, declared.collect(), "the rooms of {name}");
        let read = Crate::read(&source);
        let place = |module: &Module| order.iter().position(|room| *room == module[0]);
        for (module, code) in read.modules.iter().filter(|(module, _)| !module.is_empty()) {
            for other in read.imports(module, code) {
                assert!(
                    other.is_empty() || place(&other) <= place(module),
                    "{name}: {} imports {}, a room above it",
                    module.join("::"),
                    other.join("::")
                );
            }
        }
    }
}
