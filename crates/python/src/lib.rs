//! The extension module of the Python package sliding-tile-pdb.
