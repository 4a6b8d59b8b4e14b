//! Seeds of fuzzing: small files that are really linked and really readable, made anew each
//! time. `cargo xtask fuzz` names a folder in `MONDO_FUZZ_SEEDS`, and they are left there.

use camino::Utf8PathBuf;
use mondo_audit::{Baseline, Policy, PolicyFile, archive, audit_wheel, parts, read_image};
use object::{Architecture, BinaryFormat, Endianness};

use crate::foreign::{Bench, function, local_data, macho, object, pe};
use crate::linked;
use crate::wheel::{METADATA, NAME, WHEEL, good, wheel_of};

struct Seed {
    target: &'static str,
    name: String,
    bytes: Vec<u8>,
}

#[derive(Default)]
struct Seeds(Vec<Seed>);

impl Seeds {
    fn add(&mut self, target: &'static str, name: impl Into<String>, bytes: impl AsRef<[u8]>) {
        let (name, bytes) = (name.into(), bytes.as_ref().to_vec());
        self.0.push(Seed {
            target,
            name,
            bytes,
        });
    }

    fn images(&mut self) {
        for folder in [
            "clean",
            "binding",
            "minimum_versions",
            "unique",
            "typeid",
            "textrel",
        ] {
            for path in linked::link(&linked::fixtures().join(folder)).images {
                let name = format!("{folder}-{}", path.file_name().expect("a name"));
                self.add("elf", name, fs_err::read(&path).expect("the image"));
            }
        }
        let (mac, win) = (&*macho::FIXTURES, &*pe::FIXTURES);
        let mac_images: [&[u8]; 4] = [
            &mac.library,
            &mac.library_arm64,
            &mac.extension,
            &mac.program,
        ];
        for (number, image) in mac_images.into_iter().enumerate() {
            self.add("macho", format!("image-{number}"), image);
        }
        self.add("macho", "universal", macho::universal(&mac_images[..2]));
        for (number, image) in [&win.library, &win.library_32, &win.extension]
            .into_iter()
            .enumerate()
        {
            self.add("pe", format!("image-{number}"), image);
        }
    }

    fn objects_and_archives(&mut self) {
        use Architecture::{Aarch64, I386, PowerPc, PowerPc64, S390x, X86_64};
        use BinaryFormat::{Coff, Elf, MachO};
        let (little, big) = (Endianness::Little, Endianness::Big);
        let defs = [function("acme_first"), local_data("acme_data")];
        let bench = Bench::new();
        let kinds = [
            (Elf, X86_64, little),
            (Elf, I386, little),
            (Elf, S390x, big),
            (Elf, PowerPc64, big),
            (MachO, X86_64, little),
            (MachO, Aarch64, little),
            (MachO, PowerPc, big),
            (Coff, X86_64, little),
            (Coff, I386, little),
        ];
        for (format, architecture, endian) in kinds {
            let bytes = object(format, architecture, endian, &defs, &["acme_far"]);
            let target = if format == MachO { "macho" } else { "object" };
            self.add(target, format!("{format:?}-{architecture:?}"), &bytes);
            if architecture == X86_64 {
                bench.put(&format!("{format:?}.o"), &bytes);
                let long = format!("a_member_with_quite_a_long_name_{format:?}.o");
                bench.put(&long, &bytes);
                let name = format!("{format:?}.a");
                bench.run("ar", &["rcsD", &name, &format!("{format:?}.o"), &long]);
                self.add("archive", &name, bench.get(&name));
            }
        }
        bench.run("ar", &["rcsDT", "thin.a", "Elf.o"]);
        self.add("archive", "thin.a", bench.get("thin.a"));
        let imports = &pe::FIXTURES.import_library;
        self.add("archive", "imports.lib", imports);
        for (number, member) in archive::members("x.lib", imports)
            .expect("an archive")
            .into_iter()
            .enumerate()
        {
            self.add("object", format!("import-{number}"), member.bytes);
        }
    }

    fn texts(&mut self) {
        let image = self.0.iter().find(|seed| seed.target == "elf");
        let image = image.expect("an image").bytes.clone();
        self.add("wheel", "good.whl", good());
        self.add(
            "wheel",
            "image.whl",
            wheel_of(&[("acme/libacme.so", &image), ("acme/a.txt", b"x")], WHEEL),
        );
        let metadata = format!(
            "{METADATA}Requires-Python: >=3.10\nLicense-Expression: MIT OR Apache-2.0\n\
             License-File: LICENSE\nRequires-Dist: b[x]>=1; python_version < '3.12'\n\
             Description-Content-Type: text/markdown; charset=UTF-8\n\nLong.\n"
        );
        let record = "acme/__init__.py,sha256=AbC-_d,6\n\"a,b\",,\nacme-1.0.dist-info/RECORD,,\n";
        let sbom = r#"{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"name":"b"}]}"#;
        let names = [NAME, "acme-1.0-1-cp310-abi3-manylinux_2_17_x86_64.whl"];
        for (number, name) in names.into_iter().enumerate() {
            let texts: [&[u8]; 5] = [
                metadata.as_bytes(),
                WHEEL.as_bytes(),
                record.as_bytes(),
                sbom.as_bytes(),
                name.as_bytes(),
            ];
            self.add("dist_info", format!("{number}"), texts.join(&0xff));
        }
        let policy = "[severity]\nbuild-id = \"off\"\nnames = \"info\"\n\n[[allow]]\n\
                      rule = \"record\"\nimage = \"acme/*.so\"\nname = \"a*b\"\nreason = \"why\"\n";
        self.add("policy", "policy.toml", policy);
        let audit = audit_wheel(
            NAME,
            &wheel_of(&[("a b", b"/home/ann/x")], WHEEL),
            &Policy::default(),
        );
        let baseline = Baseline::of(&[audit.expect("readable")]).text();
        self.add("policy", "baseline.json", baseline);
    }

    /// The images of all formats are seeds of the rules as well.
    fn all() -> Self {
        let mut seeds = Self::default();
        seeds.images();
        seeds.objects_and_archives();
        seeds.texts();
        let images: Vec<(String, Vec<u8>)> = seeds
            .0
            .iter()
            .filter(|seed| ["elf", "macho", "pe", "archive"].contains(&seed.target))
            .map(|seed| (format!("{}-{}", seed.target, seed.name), seed.bytes.clone()))
            .collect();
        for (name, bytes) in images {
            seeds.add("rules", name, bytes);
        }
        seeds
    }
}

#[test]
fn each_seed_is_what_its_reader_takes() {
    let seeds = Seeds::all();
    for seed in &seeds.0 {
        let (name, bytes) = (seed.name.as_str(), seed.bytes.as_slice());
        match seed.target {
            "wheel" => drop(audit_wheel(NAME, bytes, &Policy::default()).expect(name)),
            "dist_info" => assert_eq!(bytes.split(|&byte| byte == 0xff).count(), 5),
            "policy" => {
                let text = std::str::from_utf8(bytes).expect(name);
                let read = match name {
                    "policy.toml" => PolicyFile::parse(name, text).is_ok(),
                    _ => Baseline::parse(name, text).is_ok(),
                };
                assert!(read, "{name}");
            }
            _ if archive::is_thin(bytes) => {
                archive::thin_members(name, bytes).expect(name);
            }
            _ => {
                for part in parts(name, bytes).expect(name) {
                    read_image(name, part.bytes).expect(name);
                }
            }
        }
    }
    if let Ok(folder) = std::env::var("MONDO_FUZZ_SEEDS") {
        for seed in &seeds.0 {
            let folder = Utf8PathBuf::from(&folder).join(seed.target);
            fs_err::create_dir_all(&folder).expect("a folder");
            fs_err::write(folder.join(&seed.name), &seed.bytes).expect("a file");
        }
    }
}
