/*
 * libslidingtilepdb: pattern databases and the solver of sliding-tile puzzles.
 *
 * Generated from crates/capi by scripts/build/c.sh --header. Do not edit.
 *
 * Conventions, unless a function states otherwise:
 *
 * - Texts are UTF-8 and end with a NUL. Text arguments are used until the call returns.
 * - Calls that can fail return a code, STP_OK or another, and write an explanation to `error`, a
 *   variable of the caller that may be NULL. Errors are stored nowhere else: neither per thread nor
 *   in the library.
 * - The caller frees the result of a call exactly once, with the function that the description of
 *   the call names. After a failure there is nothing to free. Functions that free do nothing with
 *   NULL.
 * - No call depends on state of the process, or changes such state. There is one exception: threads
 *   that build tables do not free a small amount of memory for sharing work.
 * - Different threads may use different objects at once. Solvers, reports, boards and tokens may
 *   also be shared, except while they are freed. Work that a call started on other threads has
 *   ended when the call returns.
 * - Callbacks run on the thread that made the call, before it returns.
 * - Calls return STP_ERROR for a null pointer where none is allowed, for a text that is not UTF-8,
 *   and for invalid numbers. Pointers that are neither NULL nor valid cannot be detected.
 *
 * A program:
 *
 *     stp_solver *solver;
 *     stp_report *report;
 *     if (stp_solver_open(NULL, &solver, NULL) == STP_OK) {
 *         const char *board = "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13";
 *         if (stp_solver_solve(solver, board, NULL, &report, NULL) == STP_OK)
 *             printf("%d %s\n", report->length, report->moves);
 *         stp_report_free(report);
 *         stp_solver_free(solver);
 *     }
 *
 * Order of this header: constants; structs of texts, errors, reports, progress and options;
 * then the functions: version, results and texts, tokens, reports, solvers (stp_solver_open),
 * solving (stp_solver_solve), lists, advice and estimates, boards and moves, random boards.
 */


#ifndef SLIDINGTILEPDB_H
#define SLIDINGTILEPDB_H

#include <stddef.h>
#include <stdint.h>

/**
 * Version of this header's binary interface, also the number of the shared library's soname. A
 * program that was compiled with an older header runs with this library if that header has the
 * same STP_ABI_VERSION.
 */
#define STP_ABI_VERSION 1

/**
 * First part of this header's version, for `#if` directives. stp_version returns the version of
 * the library.
 */
#define STP_VERSION_MAJOR 0

/**
 * Second part of the version.
 */
#define STP_VERSION_MINOR 2

/**
 * Third part of the version.
 */
#define STP_VERSION_PATCH 0

/**
 * The version as one number, for comparisons: major * 10000 + minor * 100 + patch.
 */
#define STP_VERSION_NUMBER (((STP_VERSION_MAJOR * 10000) + (STP_VERSION_MINOR * 100)) + STP_VERSION_PATCH)

/**
 * A solution that is proved to be shortest, or no solution.
 */
#define STP_MODE_OPTIMAL 0

/**
 * A solution found immediately, by a method that people can follow. The method supports all trays
 * and needs no tables.
 */
#define STP_MODE_STRATEGIC 1

/**
 * A solution found immediately, then shorter ones, until one is proved optimal or a limit is
 * reached.
 */
#define STP_MODE_ANYTIME 2

/**
 * There is no solution.
 */
#define STP_METHOD_NONE -1

/**
 * IDA*.
 */
#define STP_METHOD_SEARCH 0

/**
 * Tile by tile, as people solve the puzzle.
 */
#define STP_METHOD_STRATEGIC 1

/**
 * Beam search.
 */
#define STP_METHOD_BEAM 2

/**
 * Shortening parts of a longer solution.
 */
#define STP_METHOD_WINDOW 3

/**
 * Letters for the direction of the tile, with repeat counts: U2RD.
 */
#define STP_NOTATION_TILE 0

/**
 * Letters for the direction of the blank, with repeat counts.
 */
#define STP_NOTATION_BLANK 1

/**
 * The numbers of the moved tiles, separated by spaces.
 */
#define STP_NOTATION_NUMBERS 2

/**
 * If several paths of up to 12 moves lead to the same arrangement, only one of them is searched.
 */
#define STP_PRUNING_AUTOMATON 0

/**
 * Only moves that undo the last move are pruned, as in most published node counts.
 */
#define STP_PRUNING_PARENT 1

/**
 * Boards are searched from the start position or from the goal, whichever is expected to need
 * fewer nodes.
 */
#define STP_SIDE_AUTO 0

/**
 * Boards are searched from the start position.
 */
#define STP_SIDE_START 1

/**
 * Boards are searched from the goal. The call fails if there are no tables for such a search.
 */
#define STP_SIDE_GOAL 2

/**
 * Size of a message in bytes, including the final NUL.
 */
#define STP_MESSAGE_SIZE 1020

/**
 * A cancellation token. Cancelling it stops the calls that use it. One token may be passed to any
 * number of calls, at once or in sequence. Once cancelled it stays cancelled.
 */
typedef struct stp_cancel stp_cancel;

/**
 * A stream of random boards. The same seed produces the same boards on every machine and in every
 * version of the library.
 */
typedef struct stp_scrambler stp_scrambler;

/**
 * A goal and its tables, ready to solve boards.
 */
typedef struct stp_solver stp_solver;

/**
 * The result of a call, or the outcome of a board: one of STP_OK, STP_ERROR and so on.
 */
typedef int32_t stp_code;

/**
 * The result of solving one board. The library allocates and frees reports, so later versions may
 * add members at the end. A report never changes, so any number of threads may read it at once. It
 * owns everything that it points to.
 *
 * Pass a report by its pointer. A copy of the struct by assignment is not a report: it can be read
 * as long as the report lives, but stp_report_json and stp_report_copy return NULL for it, and
 * stp_report_free does nothing.
 */
typedef struct stp_report {
    /**
     * The outcome: STP_OK, STP_UNSOLVABLE, STP_LIMIT or STP_CANCELLED; in callbacks also
     * STP_IMPROVED, and in lists STP_ERROR and STP_TABLE.
     */
    stp_code code;
    /**
     * The requested mode: STP_MODE_OPTIMAL and so on.
     */
    int32_t mode;
    /**
     * The method of the solution: STP_METHOD_SEARCH and so on.
     */
    int32_t method;
    /**
     * 1 if the solution is proved to be shortest, else 0.
     */
    int32_t proved;
    /**
     * Length of the solution in the solver's metric; -1 if there is none.
     */
    int32_t length;
    /**
     * Proved lower bound of the length; -1 if nothing is proved.
     */
    int32_t bound;
    /**
     * The heuristic's value for the board; -1 if it was not computed.
     */
    int32_t h0;
    /**
     * Number of available search threads; 0 if there was no search.
     */
    uint32_t threads;
    /**
     * Generated nodes.
     */
    uint64_t nodes;
    /**
     * Expanded nodes.
     */
    uint64_t expanded;
    /**
     * Milliseconds of the search of this board alone.
     */
    double ms;
    /**
     * The board in rows, such as "1 2 3/4 5 6/7 8 0". If a board of a list cannot be parsed, this
     * is its original text.
     */
    const char *board;
    /**
     * The moves of the solution in the requested notation. Empty if the board is the goal; NULL if
     * there is no solution.
     */
    const char *moves;
    /**
     * The solution as moves of single tiles: one letter (U, D, L or R) per move, for the direction
     * of the tile. NULL if there is no solution. In the metric "multi" a move can slide several
     * tiles, so `letter_count` can exceed `length`.
     */
    const char *letters;
    /**
     * Length of `letters`.
     */
    size_t letter_count;
    /**
     * Number of shortest solutions; 0 if it was not requested.
     */
    uint64_t count;
    /**
     * Numbers of solutions with 0, 1, 2, ... moves more than the shortest; NULL if not requested.
     * The JSON text contains these numbers only if solutions longer than the shortest were
     * requested.
     */
    const uint64_t *counts;
    /**
     * Length of `counts`.
     */
    size_t counts_length;
    /**
     * The moves of the listed solutions, shorter ones first; NULL if not requested.
     */
    const char *const *solutions;
    /**
     * Length of `solutions`.
     */
    size_t solution_count;
    /**
     * Name of the partition, such as "6-6-3"; NULL if the board was not searched.
     */
    const char *tables;
    /**
     * Why there is no solution, or why the search ended; NULL after success.
     */
    const char *message;
    /**
     * Two tiles whose swap makes an unsolvable board solvable, the smaller first; 0 and 0 in all
     * other cases.
     */
    uint16_t swap[2];
    /**
     * Reserved: the library uses this value to detect copies of the struct.
     */
    uint32_t reserved;
} stp_report;

/**
 * Bytes in memory.
 */
typedef struct stp_bytes {
    /**
     * The first byte.
     */
    const uint8_t *data;
    /**
     * Length in bytes.
     */
    size_t length;
} stp_bytes;

/**
 * Progress of building a solver's tables. Later versions may add members at the end.
 */
typedef struct stp_build_status {
    /**
     * Name of the table that is being built.
     */
    const char *table;
    /**
     * Index of the table, from 0.
     */
    uint32_t number;
    /**
     * Number of tables.
     */
    uint32_t tables;
    /**
     * Completed fraction of the work on all tables, from 0 to 1.
     */
    double done;
} stp_build_status;

/**
 * Receives the progress of building a solver's tables, a few dozen times per table. If the
 * callback returns 0, the build continues; any other number stops it. The build does not wait for
 * the callback. A slow callback receives the remaining progress after the build, but before the
 * function that builds the tables returns. For the other rules see stp_on_progress.
 */
typedef int (*stp_on_build)(const struct stp_build_status *status, void *user_data);

/**
 * Options of a solver and the source of its tables. Set all bytes to zero, then set `struct_size`,
 * then the options: zero is the default of every option. NULL instead of the struct means the
 * defaults. Later versions may add members at the end.
 */
typedef struct stp_open_options {
    /**
     * sizeof(stp_open_options), which tells the library the caller's version.
     */
    size_t struct_size;
    /**
     * The size, columns x rows, such as "4x4". NULL means the size of the goal if it is a board,
     * else 4x4.
     */
    const char *size;
    /**
     * The goal: "blank-last", "blank-first", "snail", "columns" or a board. NULL means "blank-last".
     */
    const char *goal;
    /**
     * The metric: "single" (each move slides one tile) or "multi" (each move slides a run of
     * tiles). NULL means "single".
     */
    const char *metric;
    /**
     * The heuristic, such as "6-6-3", "best", "manhattan" for no tables, or lists of tiles. NULL
     * means the default heuristic of the size. If the tables of the default are missing and take
     * too long to build or need too much memory, the solver uses smaller tables or none.
     * stp_solver_partition returns the choice, and stp_solver_info returns the reason for it.
     */
    const char *partition;
    /**
     * The directory of the tables. It need not exist. Missing tables are built and stored there.
     * If the directory cannot be written, the new tables are used from memory, and the next call
     * builds them again. If NULL, tables are built in memory. Files are mapped, so they must not
     * be truncated or overwritten while the solver is open; otherwise the system ends the process
     * with SIGBUS. Replacing a file by a new one of the same name, as the library does, is safe.
     */
    const char *directory;
    /**
     * Tables in memory, as the bytes of their files. The files may be packed or compressed with
     * zstd. Missing tables are built in memory. The bytes are copied. NULL if there are no tables;
     * must be NULL if a directory is set.
     */
    const struct stp_bytes *tables;
    /**
     * Number of tables.
     */
    size_t table_count;
    /**
     * Maximum time to build missing tables, in seconds. If the estimated time is longer, the call
     * fails with STP_TABLE. INFINITY means no limit. 0 means 2 s, or 4 s in the metric "multi"; if
     * a partition is requested without a directory, 0 means no limit.
     */
    double max_build_time;
    /**
     * Maximum memory in bytes for building missing tables, and for reading each table of `tables`.
     * 0 means the free memory of the system.
     */
    uint64_t max_memory;
    /**
     * Default number of threads of each call. 0 means the number of cores. Table builds use this
     * number of threads, but at most one per core.
     */
    uint32_t threads;
    /**
     * If this is not 0 and enough memory is free, files of 8 MiB or more are loaded into memory
     * rather than mapped. Loading takes about 0.1 s per GB and makes searches up to 28 % faster,
     * so it pays off for many boards.
     */
    int32_t load;
    /**
     * Token with which another thread can stop the call, or NULL. Must stay valid until the call
     * returns.
     */
    const struct stp_cancel *cancel;
    /**
     * Callback that receives the progress of builds, or NULL.
     */
    stp_on_build on_build;
    /**
     * Passed to the callback.
     */
    void *user_data;
} stp_open_options;

/**
 * Error of a call. The caller provides a variable of this type. The variable needs no
 * initialisation and is not freed. The size of the struct never changes.
 */
typedef struct stp_error {
    /**
     * The code that the call returned.
     */
    stp_code code;
    /**
     * One line for people, in UTF-8, with a final NUL; empty after STP_OK, except that guesses about
     * the form of a board's text follow any message. Texts may change in any version.
     */
    char message[STP_MESSAGE_SIZE];
} stp_error;

/**
 * Progress of a search. Later versions may add members at the end.
 */
typedef struct stp_search_status {
    /**
     * Proved lower bound of the solution length.
     */
    uint32_t bound;
    /**
     * Number of working threads.
     */
    uint32_t threads;
    /**
     * Nodes generated so far.
     */
    uint64_t nodes;
    /**
     * Milliseconds since the call started.
     */
    double ms;
} stp_search_status;

/**
 * Receives the progress of a search, about a thousand times per second. If the callback returns 0,
 * the search continues; any other number stops it.
 *
 * The status is valid until the callback returns. The callback runs on the thread that made the
 * call, before the call returns. It must not throw an exception, leave by longjmp, or free an
 * argument of the call. It may make other calls, also with the same solver.
 */
typedef int (*stp_on_progress)(const struct stp_search_status *status, void *user_data);

/**
 * Receives the first solution of an anytime search, and each shorter one. If the callback returns
 * 0, the search continues; any other number stops it.
 *
 * The report, whose code is STP_IMPROVED, is valid until the callback returns and must not be
 * freed; stp_report_copy makes a permanent copy. For the other rules see stp_on_progress.
 */
typedef int (*stp_on_improved)(const struct stp_report *report, void *user_data);

/**
 * Options of solving. Set all bytes to zero, then set `struct_size`, then the options: zero is the
 * default of every option. NULL instead of the struct means the defaults. Later versions may add
 * members at the end.
 */
typedef struct stp_solve_options {
    /**
     * sizeof(stp_solve_options), which tells the library the caller's version.
     */
    size_t struct_size;
    /**
     * STP_MODE_OPTIMAL, STP_MODE_STRATEGIC or STP_MODE_ANYTIME.
     */
    int32_t mode;
    /**
     * Notation of moves: STP_NOTATION_TILE, STP_NOTATION_BLANK or STP_NOTATION_NUMBERS.
     */
    int32_t notation;
    /**
     * Number of threads for a board, or for all boards of a list together. 0 means the solver's
     * default. With several threads the length of an optimal solution is the same, but node counts
     * and the chosen solution can vary.
     */
    uint32_t threads;
    /**
     * If not 0, the solution is short rather than easy to follow. Must be zero unless the mode is
     * STP_MODE_STRATEGIC.
     */
    int32_t short_solution;
    /**
     * If not 0, the JSON text of the solution contains its steps. Must be zero unless the mode is
     * STP_MODE_STRATEGIC. Must also be zero if `short_solution` is not 0, because short solutions
     * have no steps.
     */
    int32_t explain;
    /**
     * Pruning of duplicate paths: STP_PRUNING_AUTOMATON or STP_PRUNING_PARENT.
     */
    int32_t pruning;
    /**
     * Maximum time per board, in seconds. INFINITY means no limit. 0 means 10 s for an anytime
     * search with neither `max_nodes` nor `within`, else no limit.
     */
    double max_time;
    /**
     * Maximum number of generated nodes per board. 0 means no limit.
     */
    uint64_t max_nodes;
    /**
     * Maximum memory of an anytime search in bytes, not counting the tables. 0 means 1 GiB. Must
     * be zero in the other modes.
     */
    uint64_t max_memory;
    /**
     * Seed for the random choices of an anytime search. Must be zero in the other modes.
     */
    uint64_t seed;
    /**
     * An anytime search ends when its solution exceeds the proved bound by at most this fraction:
     * 0.05 for 5 %. With 0 it ends only when its solution is proved optimal. Must be zero in the
     * other modes.
     */
    double within;
    /**
     * Token with which another thread can stop the call, or NULL. Must stay valid until the call
     * returns.
     */
    const struct stp_cancel *cancel;
    /**
     * Callback that receives the progress of the search, or NULL. Not called for lists.
     */
    stp_on_progress on_progress;
    /**
     * Callback that receives better solutions of an anytime search, or NULL. Not called for lists.
     */
    stp_on_improved on_improved;
    /**
     * Passed to the callbacks.
     */
    void *user_data;
    /**
     * The direction of the search: STP_SIDE_AUTO, STP_SIDE_START or STP_SIDE_GOAL. Must be zero in
     * the strategic mode.
     */
    int32_t side;
} stp_solve_options;

/**
 * Receives the report of each board of a list, in the order of the list. Boards are numbered from
 * 0. If the callback returns 0, the list continues; any other number ends it.
 *
 * The report is valid until the callback returns and must not be freed; stp_report_copy makes a
 * permanent copy. While the callback runs, other threads solve the next boards, at most a few
 * hundred. For the other rules see stp_on_progress.
 */
typedef int (*stp_on_report)(size_t number, const struct stp_report *report, void *user_data);

/**
 * A board. The library allocates and frees boards, so later versions may add members at the end. A
 * board never changes, so any number of threads may read it at once. It owns everything that it
 * points to. Pass a board by its pointer: a copy of the struct by assignment can be read as long
 * as the board lives, but must not be passed to stp_board_free.
 */
typedef struct stp_board {
    /**
     * The numbers in reading order, 0 for the blank.
     */
    const uint16_t *numbers;
    /**
     * Length of `numbers`.
     */
    size_t cells;
    /**
     * The board as a text in rows, such as "1 2 3/4 5 6/7 8 0". All calls accept this text as a
     * board.
     */
    const char *text;
    /**
     * Columns of the tray.
     */
    uint32_t columns;
    /**
     * Rows of the tray.
     */
    uint32_t rows;
} stp_board;

/**
 * The call succeeded.
 */
#define STP_OK 0

/**
 * The input is invalid: a board, a goal, moves, an option, a null pointer.
 */
#define STP_ERROR 1

/**
 * The goal cannot be reached from this board.
 */
#define STP_UNSOLVABLE 2

/**
 * A limit of time or nodes was reached.
 */
#define STP_LIMIT 3

/**
 * The call was stopped by a token or a callback.
 */
#define STP_CANCELLED 4

/**
 * A table is missing, damaged, or not the expected one.
 */
#define STP_TABLE 5

/**
 * There is not enough memory, or a thread could not be started.
 */
#define STP_MEMORY 6

/**
 * The library has a defect. The arguments of the call are unchanged.
 */
#define STP_DEFECT 7

/**
 * The report contains the best solution so far, and the search continues. Only the callback for
 * better solutions receives this code.
 */
#define STP_IMPROVED 8

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The library's version, such as "0.2.0".
 *
 * The text is static and must not be freed. May be called from any thread at any time.
 */
const char *stp_version(void);

/**
 * The library's STP_ABI_VERSION. Programs that load the library themselves compare this number
 * with the STP_ABI_VERSION of their header.
 *
 * May be called from any thread at any time.
 */
uint32_t stp_abi_version(void);

/**
 * The name of a code: "ok", "error", "unsolvable", "limit", "cancelled", "table", "memory",
 * "defect" or "improved"; "unknown" for other numbers.
 *
 * The text is static and must not be freed. May be called from any thread at any time.
 */
const char *stp_code_name(stp_code code);

/**
 * Frees a text that a call returned; does nothing with NULL.
 *
 * Free each text once, with this function only. May be called from any thread.
 */
void stp_string_free(char *text);

/**
 * Creates a token.
 *
 * The caller frees it with stp_cancel_free. The result is never NULL. May be called from any
 * thread.
 */
struct stp_cancel *stp_cancel_new(void);

/**
 * Stops all calls with this token, present and future. Does nothing with NULL.
 *
 * A search, a build, a check of a table, or a wait for a build of another process ends within a
 * few milliseconds. The following steps are not interrupted, and the call ends after them: loading
 * a file into memory and copying tables of the caller (about 0.1 s per GB), decompressing a file,
 * the last steps of a build, and strategic solutions (a few milliseconds for 20x20). If a token or
 * max_time stops the search for a short strategic solution, the result is the longer solution that
 * was found first.
 *
 * stp_solver_open, stp_solver_hint and stp_solver_rate return STP_CANCELLED if the token is
 * cancelled at any time before they return. stp_solver_solve still answers boards that need no
 * search, such as the goal. Calls for lists return STP_OK if all boards are answered.
 *
 * May be called from any thread, during any call except stp_cancel_free, and from a signal
 * handler, because it only stores one number.
 */
void stp_cancel_cancel(const struct stp_cancel *cancel);

/**
 * Returns 1 if the token is cancelled, else 0. Returns 0 for NULL.
 *
 * May be called from any thread, during any call except stp_cancel_free.
 */
int32_t stp_cancel_is_cancelled(const struct stp_cancel *cancel);

/**
 * Frees a token; does nothing with NULL.
 *
 * No other call may use the token at the same time or later.
 */
void stp_cancel_free(struct stp_cancel *cancel);

/**
 * The report as the JSON text that `solver --json` prints; docs/json.md lists its fields. Returns
 * NULL if `report` is NULL or if a defect of the library stops the call.
 *
 * The field `status` of the text does not show that a search was cancelled: after STP_CANCELLED it
 * is "limit", or "solved" if an anytime search has a solution. `code` of the struct distinguishes
 * these cases.
 *
 * The text belongs to the report and is valid as long as the report. It is created at the first
 * request. May be called from several threads at once for one report.
 */
const char *stp_report_json(const struct stp_report *report);

/**
 * A copy of a report, for example of a callback's report. Returns NULL if `report` is NULL or if a
 * defect of the library stops the call.
 *
 * The caller frees the copy with stp_report_free. May be called from any thread.
 */
struct stp_report *stp_report_copy(const struct stp_report *report);

/**
 * Frees a report and everything that it points to; does nothing with NULL.
 *
 * Free each report once, except the reports that callbacks receive. May be called from any thread,
 * while no other thread uses the report.
 */
void stp_report_free(struct stp_report *report);

/**
 * Opens a solver: finds its tables, or builds them. NULL options build the default tables for 4x4
 * in memory, in a tenth of a second.
 *
 * The caller frees the solver with stp_solver_free; after a failure `*solver` is NULL. `options`
 * and everything that they point to are used only until the call returns; `error` may be NULL. May
 * be called from several threads at once. Threads and processes that open the same directory build
 * each table only once.
 */
stp_code stp_solver_open(const struct stp_open_options *options,
                         struct stp_solver **solver,
                         struct stp_error *error);

/**
 * Frees a solver; does nothing with NULL.
 *
 * No other call may use the solver at the same time or later. Reports stay valid.
 */
void stp_solver_free(struct stp_solver *solver);

/**
 * The name of the solver's partition, such as "6-6-3". Returns NULL for NULL.
 *
 * The text belongs to the solver and is valid as long as the solver. May be called from any
 * thread.
 */
const char *stp_solver_partition(const struct stp_solver *solver);

/**
 * Description of a solver, as JSON: `size`, `goal`, `metric`, `partition`, `threads` and `tables`.
 * `tables` is an array of objects with `table`, `kind`, `entries` and `tiles`. `tiles` lists the
 * tile numbers of each pattern of the table. If tables could not be stored in the directory,
 * `warnings` is an array of texts with the reasons; the next call builds these tables again. If
 * the library chose smaller tables than the default ones, or no tables, `reason` is a text that
 * explains why.
 *
 * The caller frees the text with stp_string_free; after a failure `*json` is NULL. `error` may be
 * NULL. May be called from several threads at once with one solver.
 */
stp_code stp_solver_info(const struct stp_solver *solver, char **json, struct stp_error *error);

/**
 * Solves a board; by default finds a shortest solution. With STP_OK the report contains the
 * solution. With STP_UNSOLVABLE, STP_LIMIT and STP_CANCELLED the report contains the reason and
 * the proved bound. With other codes `*report` is NULL.
 *
 * The caller frees the report with stp_report_free. `board` is a text in any usual form, such as
 * "1 2 3/4 5 6/7 0 8". The text and the options are used until the call returns. `options` and
 * `error` may be NULL. May be called from several threads at once with one solver.
 */
stp_code stp_solver_solve(const struct stp_solver *solver,
                          const char *board,
                          const struct stp_solve_options *options,
                          struct stp_report **report,
                          struct stp_error *error);

/**
 * Finds all solutions with at most `within` moves more than a shortest one. The report contains
 * the numbers of solutions in `count` and `counts`, and the moves of the first `most` solutions in
 * `solutions`, which is NULL if `most` is 0. `moves` and `letters` always contain the first
 * solution. The mode of the search is always STP_MODE_OPTIMAL.
 *
 * For codes, ownership and threads see stp_solver_solve.
 */
stp_code stp_solver_all_solutions(const struct stp_solver *solver,
                                  const char *board,
                                  uint32_t within,
                                  size_t most,
                                  const struct stp_solve_options *options,
                                  struct stp_report **report,
                                  struct stp_error *error);

/**
 * Solves a list of boards on all threads of the call, and calls `on_report` for each board, with
 * its number and its report, in the order of the list. An error of one board is stored in the
 * report of this board. The other boards are still solved, and the call still returns STP_OK. The
 * limits of the options apply to each board. If the call is cancelled, only the boards in progress
 * are still reported, and the call returns STP_CANCELLED.
 *
 * `boards` contains `count` texts. The texts and the options are used until the call returns.
 * `on_report` runs on the thread that made the call and must not be NULL; it receives `user_data`.
 * `options` and `error` may be NULL. May be called from several threads at once with one solver.
 */
stp_code stp_solver_solve_list(const struct stp_solver *solver,
                               const char *const *boards,
                               size_t count,
                               const struct stp_solve_options *options,
                               stp_on_report on_report,
                               void *user_data,
                               struct stp_error *error);

/**
 * Solves boards given as numbers, like stp_solver_solve_list but without parsing texts.
 *
 * `numbers` contains the boards' numbers in reading order, 0 for the blank, one board after the
 * other: in total `count` times the number of cells. For the rest see stp_solver_solve_list.
 */
stp_code stp_solver_solve_numbers(const struct stp_solver *solver,
                                  const uint16_t *numbers,
                                  size_t count,
                                  const struct stp_solve_options *options,
                                  stp_on_report on_report,
                                  void *user_data,
                                  struct stp_error *error);

/**
 * The distance to the goal and the best moves, as the JSON text that `solver hint --json` prints.
 * Of the options only the limits, threads, token and progress apply; the mode has no effect.
 * Without limits the distance is proved, which takes as long as solving the board.
 *
 * The caller frees the text with stp_string_free; after a failure `*json` is NULL. `options` and
 * `error` may be NULL. May be called from several threads at once with one solver.
 */
stp_code stp_solver_hint(const struct stp_solver *solver,
                         const char *board,
                         const struct stp_solve_options *options,
                         char **json,
                         struct stp_error *error);

/**
 * Rates moves from a board, as the JSON text that `solver rate --json` prints. The moves are
 * letters for the direction of the tile, such as "U2RD", or the numbers of the tiles.
 *
 * For options, ownership and threads see stp_solver_hint.
 */
stp_code stp_solver_rate(const struct stp_solver *solver,
                         const char *board,
                         const char *moves,
                         const struct stp_solve_options *options,
                         char **json,
                         struct stp_error *error);

/**
 * The table values of a board, entry by entry, as the JSON text that `solver probe --json` prints,
 * without the field `file`. Takes a few microseconds per pattern.
 *
 * The caller frees the text with stp_string_free; after a failure `*json` is NULL. `error` may be
 * NULL. May be called from several threads at once with one solver.
 */
stp_code stp_solver_probe(const struct stp_solver *solver,
                          const char *board,
                          char **json,
                          struct stp_error *error);

/**
 * The heuristic's value for a board, a lower bound of the solution length. Takes a few
 * microseconds.
 *
 * After a failure `*estimate` is 0. `error` may be NULL. May be called from several threads at
 * once with one solver.
 */
stp_code stp_solver_estimate(const struct stp_solver *solver,
                             const char *board,
                             uint32_t *estimate,
                             struct stp_error *error);

/**
 * The heuristic's values for many boards, which must all be solvable. In the metric "single" and
 * on trays of up to 64 cells this takes about a microsecond per board. With one-bit tables, this
 * speed needs additional data. The first call with at least one board per ten rows of the tables
 * (4,000 boards for 6-6-3) computes this data, and the solver keeps it.
 *
 * `numbers` contains the boards' numbers in reading order, 0 for the blank, one board after the
 * other: in total `count` times the number of cells. `estimates` has room for `count` values.
 * After a failure the values of `estimates` are unspecified, and the message names the first wrong
 * board, counted from 0. Of the options only the threads and the token apply; `options` and
 * `error` may be NULL. May be called from several threads at once with one solver.
 */
stp_code stp_solver_estimates(const struct stp_solver *solver,
                              const uint16_t *numbers,
                              size_t count,
                              const struct stp_solve_options *options,
                              uint16_t *estimates,
                              struct stp_error *error);

/**
 * Parses a board in any usual form: rows separated by slashes, lists, drawings. `size` is for
 * example "4x4". If it is NULL, the rows of the text determine the size, and a text without rows
 * is read as a square. If the form of the text was guessed, for example because the blank is a
 * gap, the call returns STP_OK and the message of `error` names the guess.
 *
 * The caller frees the board with stp_board_free; after a failure `*board` is NULL. `error` may be
 * NULL. May be called from any thread.
 */
stp_code stp_board_parse(const char *input,
                         const char *size,
                         struct stp_board **board,
                         struct stp_error *error);

/**
 * Creates a board from numbers in reading order, 0 for the blank, one per cell.
 *
 * The caller frees the board with stp_board_free; after a failure `*board` is NULL. The numbers
 * are copied. `error` may be NULL. May be called from any thread.
 */
stp_code stp_board_of_numbers(const uint16_t *numbers,
                              uint32_t columns,
                              uint32_t rows,
                              struct stp_board **board,
                              struct stp_error *error);

/**
 * Creates the board of a goal. `goal` is "blank-last", "blank-first", "snail", "columns" or a
 * board; NULL means "blank-last". `size` is for example "4x4"; NULL means the size of the goal if it is a board,
 * else 4x4.
 *
 * The caller frees the board with stp_board_free; after a failure `*board` is NULL. `error` may be
 * NULL. May be called from any thread.
 */
stp_code stp_board_of_goal(const char *goal,
                           const char *size,
                           struct stp_board **board,
                           struct stp_error *error);

/**
 * Frees a board and everything that it points to; does nothing with NULL.
 *
 * Free each board once. May be called from any thread, while no other thread uses the board.
 */
void stp_board_free(struct stp_board *board);

/**
 * Checks whether a board is solvable. Returns STP_OK if it is, else STP_UNSOLVABLE with the reason
 * as the message of `error`. `goal` is as for stp_board_of_goal. `swap` is NULL or an array of
 * two numbers. For an unsolvable board, it receives two tiles whose swap makes the board solvable,
 * the smaller first. It receives 0 and 0 for a solvable board, and if no swap helps.
 *
 * `error` may be NULL. May be called from any thread. Takes a few microseconds.
 */
stp_code stp_board_check(const char *board,
                         const char *goal,
                         uint16_t *swap,
                         struct stp_error *error);

/**
 * Applies moves to a board. The moves are letters for the direction of the tile, such as "U2RD",
 * words such as "up", arrows, or the numbers of the tiles. `is_goal` may be NULL; it is set to 1 if the resulting board is the
 * goal, else to 0. `goal` is as for stp_board_of_goal.
 *
 * The caller frees the result with stp_board_free; after a failure `*result` is NULL. `error` may
 * be NULL. May be called from any thread.
 */
stp_code stp_board_apply(const char *board,
                         const char *moves,
                         const char *goal,
                         struct stp_board **result,
                         int32_t *is_goal,
                         struct stp_error *error);

/**
 * Draws a board. `style` is "text", or "svg" for a picture. The picture animates `moves`, which
 * may be NULL. `goal`, which determines the colours, is as for stp_board_of_goal.
 *
 * The caller frees the drawing with stp_string_free; after a failure `*drawing` is NULL. `error`
 * may be NULL. May be called from any thread.
 */
stp_code stp_board_draw(const char *board,
                        const char *goal,
                        const char *style,
                        const char *moves,
                        char **drawing,
                        struct stp_error *error);

/**
 * Converts moves that start on a board to the notation `to`, such as STP_NOTATION_TILE. `moves` is
 * as for stp_board_apply.
 *
 * The caller frees the text with stp_string_free; after a failure `*converted` is NULL. `error`
 * may be NULL. May be called from any thread.
 */
stp_code stp_moves_convert(const char *board,
                           const char *moves,
                           int32_t to,
                           char **converted,
                           struct stp_error *error);

/**
 * The moves that undo `moves`, in the same notation.
 *
 * The caller frees the text with stp_string_free; after a failure `*inverse` is NULL. `error` may
 * be NULL. May be called from any thread.
 */
stp_code stp_moves_invert(const char *moves, char **inverse, struct stp_error *error);

/**
 * Creates a stream of random boards from a seed.
 *
 * The caller frees it with stp_scrambler_free. The result is never NULL. May be called from any
 * thread.
 */
struct stp_scrambler *stp_scrambler_new(uint64_t seed);

/**
 * Frees a stream; does nothing with NULL.
 *
 * No other call may use the stream at the same time or later.
 */
void stp_scrambler_free(struct stp_scrambler *scrambler);

/**
 * Creates the next random board. All solvable boards are equally likely. `size` and `goal` are as
 * for stp_board_of_goal.
 *
 * The caller frees the board with stp_board_free; after a failure `*board` is NULL. `error` may be
 * NULL. Only one thread at a time may use a scrambler.
 */
stp_code stp_scrambler_draw(struct stp_scrambler *scrambler,
                            const char *size,
                            const char *goal,
                            struct stp_board **board,
                            struct stp_error *error);

/**
 * Makes `count` random moves from the goal. No move undoes the previous one. Returns the
 * board, and also the moves unless `moves` is NULL. `count` is at most a million. On a tray with
 * one row or column the walk ends early when the blank reaches the frame. `size` and `goal` are as
 * for stp_board_of_goal.
 *
 * The caller frees the board with stp_board_free and the moves with stp_string_free; after a
 * failure both are NULL. `error` may be NULL. Only one thread at a time may use a scrambler.
 */
stp_code stp_scrambler_walk(struct stp_scrambler *scrambler,
                            const char *size,
                            const char *goal,
                            uint64_t count,
                            struct stp_board **board,
                            char **moves,
                            struct stp_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SLIDINGTILEPDB_H */
