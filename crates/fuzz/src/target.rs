//! The targets by name.

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Name of the target and of its file of seeds.
    pub name: &'static str,
    /// Panics if a property is violated.
    pub body: fn(&[u8]),
}

macro_rules! targets {
    ($($(#[$condition:meta])? $name:ident)+) => {
        /// All targets.
        pub const TARGETS: &[Target] = &[
            $($(#[$condition])? Target { name: stringify!($name), body: crate::$name::body },)+
        ];
    };
}

targets! {
    boards lists goals partitions pictures moves table packed manifest checkpoint json
    #[cfg(feature = "http")]
    http
    contract solve
}
