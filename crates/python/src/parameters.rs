//! Descriptions of parameters for the docstrings of Python's functions, each written once.

/// Defines the macro `parameter!`, which expands the name of a parameter to its list item.
macro_rules! describe {
    ($($name:ident $text:literal)*) => {
        macro_rules! parameter {
            $(($name) => { $text };)*
        }
    };
}

/// Expands to the descriptions of the named parameters, as a list.
macro_rules! parameters {
    ($first:ident $(, $name:ident)*) => {
        concat!(parameter!($first) $(, "\n", parameter!($name))*)
    };
}

describe! {
    board "- `board`: a `Board`, a text, or numbers in reading order or in rows; None is the blank."
    boards "- `boards`: any iterable of boards, or an array of shape (n, cells) or (n, rows, \
        columns),\n  best of uint8."
    size "- `size`: columns x rows, as `\"4x4\"` or `(4, 4)`; by default that of the goal or \
        board, else\n  4x4."
    board_size "- `size`: columns x rows, as `\"4x4\"` or `(4, 4)`; by default that of the rows, \
        else a\n  square."
    sizes "- `sizes`: one size or several, such as `[\"3x3\", \"4x4\"]`; by default 3x3."
    goal "- `goal`: `blank-last` (default), `blank-first`, `snail`, `columns`, a board or a `Goal`."
    partition "- `partition`: division of the tiles: `6-6-3`, a preset such as `best`, or lists of \
        tiles;\n  the default depends on the size."
    metric "- `metric`: definition of a move: `single` (default), one tile, or `multi`, a run of \
        tiles."
    kind "- `kind`: kind of the tables: `zero-aware` (default), `blank-compressed`, `full` or \
        `runs`."
    encoding "- `encoding`: `one-bit`, `mod-3` or `u8`; the default depends on the kind."
    tables "- `tables`: a directory that stores the tables; by default they are in memory."
    solver_tables "- `tables`: a directory, a bundle or table file, bytes, or a list of `Table` \
        objects; by\n  default tables are built in memory."
    verify_tables "- `tables`: a `Table`, the path of a file or directory, or a list of them."
    max_build_time "- `max_build_time`: maximum estimated time to build missing tables, in \
        seconds. By default\n  none if `partition` is given; otherwise the library chooses a \
        partition that takes at most\n  4 s."
    mode "- `mode`: `optimal` (default), `strategic` or `anytime`."
    max_time "- `max_time`: time limit per board, in seconds, above 0. By default none; 10 s for \
        an\n  anytime search without another limit."
    max_nodes "- `max_nodes`: maximum number of generated nodes per board, at least 1; by default \
        none."
    max_memory "- `max_memory`: memory limit per board besides the tables, in bytes; by default 1 \
        GiB."
    anytime_memory "- `max_memory`: with `anytime`: memory limit per board besides the tables, in \
        bytes; by\n  default 1 GiB."
    threads "- `threads`: number of threads, at most 1024; 0 (default) is one per core."
    side "- `side`: end from which the search starts: `start`, `goal`, or `auto` (default), the \
        one\n  that is expected to need fewer nodes."
    notation "- `notation`: notation of moves: `tile`, letters for the direction of the tile, \
        `blank`, or\n  `numbers`. By default results use `tile`, and the notation of arguments is \
        detected."
    to "- `to`: the target notation: `tile`, `blank` or `numbers`."
    short "- `short`: with `strategic`: a shorter solution rather than one that is easy to follow; \
        not\n  with `explain`."
    explain "- `explain`: with `strategic`: add `steps` to the report."
    within "- `within`: with `anytime`: end when the solution exceeds the proved bound by at most \
        this\n  fraction, such as 0.05."
    extra_moves "- `within`: maximum number of moves beyond a shortest solution (default 0)."
    most "- `most`: maximum number of listed solutions (default 1000); not with `count`."
    count "- `count`: only count the solutions, without listing them."
    seed "- `seed`: seed of random choices."
    anytime_seed "- `seed`: with `anytime`: a seed other than 0 (default) can find other solutions."
    improved "- `improved`: with `anytime`: a function that is called with each better report."
    progress "- `progress`: a class of progress bars such as tqdm, a bar, or a function that \
        takes\n  `Progress`."
    cancel "- `cancel`: a `Cancel`, which cancels the call from another thread."
    moves "- `moves`: a text or a list: letters such as `U2RD`, words, arrows, or numbers of tiles."
    walk "- `moves`: number of random moves from the goal; by default boards are uniformly random."
    number "- `number`: number of boards."
    heuristics "- `heuristics`: names such as `manhattan` and `6-6-3`; see `heuristics()`."
    searches "- `searches`: `breadth-first`, `uniform-cost`, `greedy`, `astar`, \
        `weighted-astar:1.5`,\n  `ida-star` or `bidirectional`."
    suite "- `suite`: name of a suite of boards; see `suites()`."
    compress "- `compress`: whether files are compressed with zstd (default: no)."
    force "- `force`: whether existing tables are rebuilt (default: no)."
    fixed "- `fixed`: number of tiles that keep their cells within a frame: a larger number means \
        more\n  and smaller frames. The default depends on the size."
    single "- `single`: one file instead of a directory with a manifest (default: no)."
    solver "- `solver`: the `Solver` whose tables are packed."
    out "- `out`: the directory, or with `single` the file, to write."
    path "- `path`: the path of the file or directory."
    check "- `check`: whether the checksums of the file are checked (default: yes)."
    tiles "- `tiles`: the numbers on the pattern's tiles, as a text `\"1,2,5\"` or a list."
    ansi "- `ansi`: whether the drawing has colours for terminals (default: no)."
    cell_size "- `cell_size`: side of a tile, in pixels (default 64)."
}
