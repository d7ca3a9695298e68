//! Methods that set options.

/// Methods of an `impl`: `name(parameter: type) => field = value;`.
macro_rules! setters {
    ($(
        $(#[$meta:meta])*
        $name:ident($parameter:ident: $type:ty) => $($field:ident).+ = $value:expr;
    )*) => {$(
        $(#[$meta])*
        #[must_use]
        pub fn $name(mut self, $parameter: $type) -> Self {
            self.$($field).+ = $value;
            self
        }
    )*};
}
pub(crate) use setters;
