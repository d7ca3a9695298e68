//! Descriptions of parameters for the docstrings of Python's functions, each written once.

/// Defines a macro that expands to the description of a parameter, a list item, by its name.
macro_rules! describe {
    ($($name:ident $text:literal)*) => {
        macro_rules! parameter {
            $(($name) => { $text };)*
        }
    };
}

/// The descriptions of some parameters, as a list.
macro_rules! parameters {
    ($first:ident $(, $name:ident)*) => {
        concat!(parameter!($first) $(, "\n", parameter!($name))*)
    };
}

describe! {
    board "- `board`: a `Board`, a text, or numbers in reading order or in rows."
    boards "- `boards`: a list or any iterable of boards, or an array of shape (n, cells) \
        or\n  (n, rows, columns), best of uint8."
    size "- `size`: columns x rows, as `\"4x4\"` or `(4, 4)`; by default that of the goal or \
        board,\n  else 4x4."
    board_size "- `size`: columns x rows, as `\"4x4\"` or `(4, 4)`; by default that of the rows, \
        else the\n  square with that number of cells."
    sizes "- `sizes`: one size or several, such as `[\"3x3\", \"4x4\"]`; by default 3x3."
    goal "- `goal`: `blank-last` (default), `blank-first`, a board or a `Goal`."
    partition "- `partition`: how the tiles are divided: `6-6-3`, a preset such as `best`, or \
        lists of\n  tiles; by default that of the size."
    metric "- `metric`: what counts as a move: `single` (default), one tile, or `multi`, a run \
        of\n  tiles."
    kind "- `kind`: kind of the tables: `zero-aware` (default), `blank-compressed`, `full` or \
        `runs`."
    encoding "- `encoding`: `one-bit`, `mod-3` or `u8`; by default the usual one of the kind."
    tables "- `tables`: a directory, which keeps tables that are built; by default they are in \
        memory."
    solver_tables "- `tables`: a directory, a bundle or table file, bytes, or a list of `Table` \
        objects; by\n  default tables are built in memory."
    verify_tables "- `tables`: a `Table`, the path of a file or directory, or a list of them."
    max_build_time "- `max_build_time`: time limit for building missing tables, in seconds by \
        estimate. By\n  default none where `partition` is given; else a partition is chosen that \
        takes 4 s at most."
    mode "- `mode`: `optimal` (default), `strategic` or `anytime`."
    max_time "- `max_time`: time limit per board, in seconds, above 0. By default none; 10 s for \
        an\n  anytime search without another limit."
    max_nodes "- `max_nodes`: limit of generated nodes per board, at least 1; by default none."
    max_memory "- `max_memory`: memory limit per board besides the tables, in bytes; by default 1 \
        GiB."
    anytime_memory "- `max_memory`: with `anytime`: memory limit per board besides the tables, in \
        bytes; by\n  default 1 GiB."
    threads "- `threads`: number of threads, at most 1024; 0 (default) for all cores."
    side "- `side`: end of the board that is searched from: `start`, `goal`, or `auto` (default), \
        the\n  one that is expected to need fewer nodes."
    notation "- `notation`: how moves are written: `tile`, letters for the way the tile goes, \
        `blank`, or\n  `numbers`. By default answers have `tile`, and what is given is recognised."
    to "- `to`: the notation to write: `tile`, `blank` or `numbers`."
    short "- `short`: with `strategic`: a shorter solution instead of one that is easy to follow; \
        not\n  with `explain`."
    explain "- `explain`: with `strategic`: the report has `steps`."
    within "- `within`: with `anytime`: end when the solution is at most this share longer than \
        the\n  proved bound, such as 0.05."
    extra_moves "- `within`: number of moves that solutions may be longer than a shortest one \
        (default 0)."
    most "- `most`: limit of the solutions that are written down (default 1000); not with `count`."
    count "- `count`: only the number of solutions, none written down."
    seed "- `seed`: number that decides free and random choices."
    anytime_seed "- `seed`: with `anytime`: another number than 0 (default) may find other \
        solutions."
    improved "- `improved`: with `anytime`: a function that is called with each better report."
    progress "- `progress`: a class of bars such as tqdm, a bar, or a function that takes \
        `Progress`."
    cancel "- `cancel`: a `Cancel`, which ends the call from another thread."
    moves "- `moves`: moves as text: letters such as `U2RD`, or numbers of tiles."
    walk "- `moves`: number of random moves from the goal; by default boards are uniformly random."
    number "- `number`: number of boards."
    heuristics "- `heuristics`: names such as `manhattan` and `6-6-3`; see `heuristics()`."
    searches "- `searches`: `breadth-first`, `uniform-cost`, `greedy`, `astar`, \
        `weighted-astar:1.5`,\n  `ida-star` or `bidirectional`."
    suite "- `suite`: name of a suite of boards; see `suites()`."
    compress "- `compress`: whether files are compressed by zstd (default: no)."
    force "- `force`: whether tables that exist are built again (default: no)."
    fixed "- `fixed`: number of tiles that stand still within a frame: the larger, the more and \
        smaller\n  are the frames. By default chosen by the size."
    single "- `single`: one file instead of a directory with a manifest (default: no)."
    solver "- `solver`: the `Solver` whose tables are packed."
    out "- `out`: the directory, or with `single` the file, that is written."
    path "- `path`: the path of the file or directory."
    check "- `check`: whether the sums of the file are checked (default: yes)."
    tiles "- `tiles`: the numbers on the pattern's tiles, as a text `\"1,2,5\"` or a list."
    ansi "- `ansi`: whether the drawing has colours for terminals (default: no)."
    cell_size "- `cell_size`: side of a tile, in pixels (default 64)."
}
