//! Stable names of the rules. Reports, policy files and baselines carry them.

use serde::Serialize;

macro_rules! rule_ids {
    ($($variant:ident $id:literal;)*) => {
        /// The stable names of the rules.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub enum RuleId {
            $(
                #[doc = concat!("The rule `", $id, "`.")]
                #[serde(rename = $id)]
                $variant,
            )*
        }

        impl RuleId {
            /// Every rule.
            pub const ALL: &[RuleId] = &[$(Self::$variant),*];

            /// The name in reports, in JSON and on command lines.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $id),* }
            }

            /// The rule of this name.
            #[must_use]
            pub fn by_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|id| id.name() == name)
            }
        }
    };
}

rule_ids! {
    Abi3 "abi3";
    Aslr "aslr";
    BindNow "bind-now";
    Binding "binding";
    BuildId "build-id";
    BuildPath "build-path";
    Cfi "cfi";
    ClOption "cl-option";
    Duplicates "duplicates";
    DebugInfo "debug-info";
    Exports "exports";
    Format "format";
    Metadata "metadata";
    MinimumVersions "minimum-versions";
    Modes "modes";
    Names "names";
    Needed "needed";
    Order "order";
    Record "record";
    Relro "relro";
    Runpath "runpath";
    Sbom "sbom";
    SharedData "shared-data";
    Signature "signature";
    Singleton "singleton";
    Soname "soname";
    Stack "stack";
    Symbols "symbols";
    Tag "tag";
    Textrel "textrel";
    TypeId "typeid";
    Unique "unique";
    Unneeded "unneeded";
    Unresolved "unresolved";
    WheelFile "wheel-file";
    Zip "zip";
}
