//! The C library libslidingtilepdb.
