/*
 * libslidingtilepdb: pattern databases and the solver of sliding-tile puzzles.
 *
 * Made of crates/capi by scripts/build/c.sh --header: not to be edited by hand.
 *
 * Conventions, where a function says nothing else:
 *
 * - Texts are UTF-8 and end with a NUL. Those that come in are used until the call returns.
 * - Calls that can fail return a code, STP_OK or another, and explain it in `error`, a variable of
 *   the caller's that may be NULL. Nothing else keeps errors: no thread and no library state.
 * - What a call gives to the caller is freed by the function that the call names, once, and by no
 *   other; after a failure there is nothing to free. Functions that free do nothing with NULL.
 * - No call depends on state of the process or changes it, but that the threads that build tables
 *   leave some memory with which they share work. Different objects may be used by different
 *   threads at once. Solvers, reports, boards and tokens may also be shared, except while they are
 *   freed. What a call began on other threads has ended when it returns.
 * - Callbacks run on the thread that made the call, before it returns.
 * - A null pointer where none may be, a text that is not UTF-8, and numbers that make no sense are
 *   refused with STP_ERROR. Pointers that are neither NULL nor valid cannot be told from others.
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
 * Order of this header: constants; the structs of texts, errors, reports, progress and options;
 * then the functions: version, results and texts, tokens, reports, solvers (stp_solver_open),
 * solving (stp_solver_solve), lists, advice and estimates, boards and moves, random boards.
 */


#ifndef SLIDINGTILEPDB_H
#define SLIDINGTILEPDB_H

#include <stddef.h>
#include <stdint.h>

/**
 * The number of this header's binary interface. A library with the same number runs all programs
 * that were compiled with this header or an older one of that number; it is the number of the
 * shared library's soname too.
 */
#define STP_ABI_VERSION 1

/**
 * The version of this header: programs ask by `#if` what it declares. stp_version has that of the
 * library.
 */
#define STP_VERSION_MAJOR 0

/**
 * The second part of the version.
 */
#define STP_VERSION_MINOR 2

/**
 * The third part of the version.
 */
#define STP_VERSION_PATCH 0

/**
 * The version as one number that grows with it: major * 10000 + minor * 100 + patch.
 */
#define STP_VERSION_NUMBER (((STP_VERSION_MAJOR * 10000) + (STP_VERSION_MINOR * 100)) + STP_VERSION_PATCH)

/**
 * A proved shortest solution, or none.
 */
#define STP_MODE_OPTIMAL 0

/**
 * A solution at once, by a method that people can follow: any tray, no tables.
 */
#define STP_MODE_STRATEGIC 1

/**
 * A solution at once, then shorter ones, until one is proved optimal or a limit is reached.
 */
#define STP_MODE_ANYTIME 2

/**
 * There is no solution.
 */
#define STP_METHOD_NONE -1

/**
 * By IDA*.
 */
#define STP_METHOD_SEARCH 0

/**
 * Tile by tile, as people do it.
 */
#define STP_METHOD_STRATEGIC 1

/**
 * By beam search.
 */
#define STP_METHOD_BEAM 2

/**
 * By shortening parts of a longer solution.
 */
#define STP_METHOD_WINDOW 3

/**
 * Letters for the way the tile goes, repeated ones counted: U2RD.
 */
#define STP_NOTATION_TILE 0

/**
 * The same, for the way the blank goes.
 */
#define STP_NOTATION_BLANK 1

/**
 * The numbers of the tiles that move, parted by spaces.
 */
#define STP_NOTATION_NUMBERS 2

/**
 * Paths of up to 12 moves to the same arrangement are searched once only.
 */
#define STP_PRUNING_AUTOMATON 0

/**
 * Only moves that undo the last one are left out, as most published counts of nodes have it.
 */
#define STP_PRUNING_PARENT 1

/**
 * Boards are searched from the end that is expected to need fewer nodes.
 */
#define STP_SIDE_AUTO 0

/**
 * Boards are searched from where they stand.
 */
#define STP_SIDE_START 1

/**
 * Boards are searched from the goal. An error where there are no tables for that.
 */
#define STP_SIDE_GOAL 2

/**
 * Bytes of a message, with the NUL at its end.
 */
#define STP_MESSAGE_SIZE 1020

/**
 * Stops calls from another thread. One token may be given to any number of calls, at once or one
 * after the other; once cancelled it stays so.
 */
typedef struct stp_cancel stp_cancel;

/**
 * A stream of random boards, the same for the same seed on every machine and in every version.
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
 * The outcome of a board. The library makes and frees reports, so later versions may add
 * members at the end. Nothing in a report ever changes: any number of threads may read it at once.
 * All that it points to belongs to it.
 *
 * A report is passed on by its pointer. A copy of the struct by assignment is not a report: it may
 * be read as long as the report lives, but stp_report_json and stp_report_copy give NULL for it,
 * and stp_report_free does nothing.
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
     * 1 if there is a solution and it is proved that none is shorter, else 0.
     */
    int32_t proved;
    /**
     * The length of the solution in the solver's metric; -1 if there is none.
     */
    int32_t length;
    /**
     * No solution is shorter than this; -1 if nothing is proved.
     */
    int32_t bound;
    /**
     * The heuristic's value of the board; -1 if it was not asked.
     */
    int32_t h0;
    /**
     * Number of threads that the search could use; 0 if there was no search.
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
     * Milliseconds of this board's search alone.
     */
    double ms;
    /**
     * The board in rows, such as "1 2 3/4 5 6/7 8 0"; in a list, of a board that cannot be read,
     * the text as it was given.
     */
    const char *board;
    /**
     * The moves of the solution in the notation asked for, empty on the goal; NULL if there is no
     * solution.
     */
    const char *moves;
    /**
     * The single moves of the solution, one of the letters U, D, L and R for each, the way the
     * tile goes; NULL if there is no solution. In a metric of runs there are more of them than
     * `length`.
     */
    const char *letters;
    /**
     * Number of letters.
     */
    size_t letter_count;
    /**
     * Number of shortest solutions; 0 if it was not requested.
     */
    uint64_t count;
    /**
     * Number of solutions with 0, 1, 2, ... more moves; NULL if it was not requested.
     * The JSON text has it only if longer solutions than the shortest were requested.
     */
    const uint64_t *counts;
    /**
     * Length of `counts`.
     */
    size_t counts_length;
    /**
     * The moves of the first solutions, shorter ones first; NULL where they were not asked for.
     */
    const char *const *solutions;
    /**
     * Length of `solutions`.
     */
    size_t solution_count;
    /**
     * The name of the partition, such as "6-6-3"; NULL if the board did not come to a search.
     */
    const char *tables;
    /**
     * Why there is no solution, or why the search ended; NULL after success.
     */
    const char *message;
    /**
     * Of an unsolvable board: the numbers of two tiles, the smaller first, whose swap makes it
     * solvable; else 0 and 0.
     */
    uint16_t swap[2];
    /**
     * For the library, which knows by it a copy of the struct.
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
     * Number of elements.
     */
    size_t length;
} stp_bytes;

/**
 * Progress of building a solver's tables. Later versions may add members at the end.
 */
typedef struct stp_build_status {
    /**
     * The name of the table that is being built.
     */
    const char *table;
    /**
     * Its number among the tables, from 0.
     */
    uint32_t number;
    /**
     * Number of tables.
     */
    uint32_t tables;
    /**
     * The share of the work on all tables that is done, from 0 to 1.
     */
    double done;
} stp_build_status;

/**
 * Receives the progress of building a solver's tables, a few dozen times per table; 0 continues
 * the build, and any other number stops it. The build does not wait for the callback: a slow
 * callback receives the rest afterwards, before the call returns. For the rest see
 * stp_on_progress.
 */
typedef int (*stp_on_build)(const struct stp_build_status *status, void *user_data);

/**
 * Purpose of a solver, and the source of its tables. Set all bytes to zero, then `struct_size`,
 * then the options: zero means the default everywhere. NULL instead of the options is the same
 * as zeros. Later versions may add members at the end.
 */
typedef struct stp_open_options {
    /**
     * sizeof(stp_open_options), by which the library knows what the caller was compiled with.
     */
    size_t struct_size;
    /**
     * The size, columns x rows, such as "4x4"; NULL: that of the goal where that is a board, else
     * 4x4.
     */
    const char *size;
    /**
     * The goal: "blank-last", "blank-first" or a board; NULL: "blank-last".
     */
    const char *goal;
    /**
     * The metric: "single", one tile by one cell, or "multi", a run of tiles; NULL:
     * "single".
     */
    const char *metric;
    /**
     * The heuristic, such as "6-6-3", "best", "manhattan" for none, or lists of tiles. NULL: the
     * usual one of the size; where its tables are missing and take long to build, or more memory
     * than there is, one of smaller parts, and where these do too, none. stp_solver_partition
     * tells which, and stp_solver_info why.
     */
    const char *partition;
    /**
     * The directory of the tables, which need not exist. Tables that are missing are built and
     * kept there; where it cannot be written they are used from memory, and the next call builds
     * them again. NULL: they are built in memory. Files are mapped: as long as the solver is open
     * they must not be cut or overwritten, for which the system ends the process by SIGBUS
     * (replacing a file by a new one of its name, as the library does, is no harm).
     */
    const char *directory;
    /**
     * Tables in memory, as the bytes of their files, which may be packed or compressed by zstd;
     * those that are missing are built in memory. They are copied. NULL if there are none; not
     * together with a directory.
     */
    const struct stp_bytes *tables;
    /**
     * Number of tables.
     */
    size_t table_count;
    /**
     * The longest that missing tables may take to build, in seconds by estimate, before the call
     * fails with STP_TABLE; INFINITY: as long as it takes. 0: 2 s, and 4 s in the metric "multi";
     * no limit where a partition is asked for and there is no directory.
     */
    double max_build_time;
    /**
     * Bytes of memory that the tables may take while they are built, and each table in memory
     * while it is read; 0: what the system has free.
     */
    uint64_t max_memory;
    /**
     * Threads of calls that do not say how many, and those that build tables, which are never more
     * than there are cores; 0: as many as there are cores.
     */
    uint32_t threads;
    /**
     * Not 0: files of 8 MiB or more are loaded where memory suffices, not mapped. That takes some
     * 0.1 s a GB and makes searches up to 28 % faster: it is for many boards.
     */
    int32_t load;
    /**
     * Stops the call from another thread, or NULL. Must stay valid until the call returns.
     */
    const struct stp_cancel *cancel;
    /**
     * Hears how far tables are that are being built, or NULL.
     */
    stp_on_build on_build;
    /**
     * Is passed to the callback.
     */
    void *user_data;
} stp_open_options;

/**
 * Why a call failed. The caller has it, as a variable of its own: there is nothing to initialise
 * and nothing to free. Its size never changes.
 */
typedef struct stp_error {
    /**
     * The result of the call.
     */
    stp_code code;
    /**
     * One line for people, in UTF-8, which ends with a NUL; empty after STP_OK. Texts may change
     * with any version.
     */
    char message[STP_MESSAGE_SIZE];
} stp_error;

/**
 * Progress of a search. Later versions may add members at the end.
 */
typedef struct stp_search_status {
    /**
     * No solution is shorter than this.
     */
    uint32_t bound;
    /**
     * Threads at work.
     */
    uint32_t threads;
    /**
     * Nodes generated so far.
     */
    uint64_t nodes;
    /**
     * Milliseconds since the call began.
     */
    double ms;
} stp_search_status;

/**
 * Hears how far a search is, about a thousand times a second; 0 lets it go on, and another number
 * stops it.
 *
 * The status is valid until the callback returns. The callback runs on the thread that made the
 * call, before that returns. It must not throw an exception, jump out by longjmp, or free what was
 * passed to the call; it may make other calls, with the same solver too.
 */
typedef int (*stp_on_progress)(const struct stp_search_status *status, void *user_data);

/**
 * Hears of each solution of an anytime search that is shorter than those before, or of which more
 * is proved; 0 lets the search go on, and another number stops it.
 *
 * The report, whose code is STP_IMPROVED, is valid until the callback returns, and must not be
 * freed: stp_report_copy makes one that stays. For the rest see stp_on_progress.
 */
typedef int (*stp_on_improved)(const struct stp_report *report, void *user_data);

/**
 * Options of solving. Set all bytes to zero, then `struct_size`, then the options: zero
 * means the default everywhere. NULL instead of the options is the same as zeros. Later versions
 * may add members at the end.
 */
typedef struct stp_solve_options {
    /**
     * sizeof(stp_solve_options), by which the library knows what the caller was compiled with.
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
     * Threads that search a board, or those of a list together; 0: as many as the solver has. With
     * several, lengths stay the same; node counts, and which shortest solution is found, do not.
     */
    uint32_t threads;
    /**
     * Not 0: a short strategic solution, instead of one that is easy to follow. Zero in the other
     * modes.
     */
    int32_t short_solution;
    /**
     * Not 0: the JSON text of a strategic solution has its steps. Zero in the other modes, and
     * together with `short_solution`, whose solutions have no steps.
     */
    int32_t explain;
    /**
     * Which duplicate paths are not searched: STP_PRUNING_AUTOMATON or STP_PRUNING_PARENT.
     */
    int32_t pruning;
    /**
     * The longest time for a board, in seconds; 0: no limit, but 10 s for boards and
     * lists in the anytime mode that nothing else would end; INFINITY: no limit.
     */
    double max_time;
    /**
     * The most nodes to generate for a board; 0: no limit.
     */
    uint64_t max_nodes;
    /**
     * Bytes of memory that an anytime search may use besides the tables; 0: 1 GiB. Zero in the
     * other modes.
     */
    uint64_t max_memory;
    /**
     * Seed for the random choices of an anytime search. Zero in the other
     * modes.
     */
    uint64_t seed;
    /**
     * An anytime search ends when its solution is at most this much longer than the proved bound,
     * as a share: 0.05 for 5 %. 0: only when it is proved optimal. Zero in the other modes.
     */
    double within;
    /**
     * Stops the call from another thread, or NULL. Must stay valid until the call returns.
     */
    const struct stp_cancel *cancel;
    /**
     * Hears how far the search is, or NULL. Not called for lists.
     */
    stp_on_progress on_progress;
    /**
     * Hears of better solutions of an anytime search, or NULL. Not called for lists.
     */
    stp_on_improved on_improved;
    /**
     * Is passed to the callbacks.
     */
    void *user_data;
    /**
     * Which end of a board is searched from: STP_SIDE_AUTO, STP_SIDE_START or STP_SIDE_GOAL. Zero
     * in the strategic mode.
     */
    int32_t side;
} stp_solve_options;

/**
 * Hears of each board of a list, in the order of the list; 0 goes on with the list, and another
 * number ends it. Boards are numbered from 0.
 *
 * The report is valid until the callback returns, and must not be freed: stp_report_copy makes one
 * that stays. While the callback runs, other threads solve the boards that follow, some hundred at
 * most. For the rest see stp_on_progress.
 */
typedef int (*stp_on_report)(size_t number, const struct stp_report *report, void *user_data);

/**
 * A board. The library makes boards and frees them, so that later versions may add members at the
 * end. Nothing in a board ever changes: any number of threads may read it at once. All that it
 * points to belongs to it. A board is passed on by its pointer: a copy of the struct by assignment
 * may be read as long as the board lives, and must not be passed to stp_board_free.
 */
typedef struct stp_board {
    /**
     * The numbers in reading order, 0 for the blank.
     */
    const uint16_t *numbers;
    /**
     * Number of numbers.
     */
    size_t cells;
    /**
     * The board in rows, such as "1 2 3/4 5 6/7 8 0", as all calls take it.
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
 * All that was asked for was done.
 */
#define STP_OK 0

/**
 * The input makes no sense: a board, a goal, moves, an option, a null pointer.
 */
#define STP_ERROR 1

/**
 * The goal cannot be reached from this board.
 */
#define STP_UNSOLVABLE 2

/**
 * A limit of time or nodes was reached first.
 */
#define STP_LIMIT 3

/**
 * The call was stopped, by a token or by a callback.
 */
#define STP_CANCELLED 4

/**
 * A table is missing, damaged, or another one.
 */
#define STP_TABLE 5

/**
 * There is not enough memory, or no thread could be started.
 */
#define STP_MEMORY 6

/**
 * The library failed: this is a defect in it. What was passed to the call is unchanged.
 */
#define STP_DEFECT 7

/**
 * Of reports to the callback for better solutions alone: this is the best solution so far, and the
 * search goes on.
 */
#define STP_IMPROVED 8

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The library's version, such as "0.2.0".
 *
 * The text is static: it is never freed. May be called from any thread at any time.
 */
const char *stp_version(void);

/**
 * The library's STP_ABI_VERSION: programs that load the library by themselves compare it with the
 * one that they were written for.
 *
 * May be called from any thread at any time.
 */
uint32_t stp_abi_version(void);

/**
 * The name of a code: "ok", "error", "unsolvable", "limit", "cancelled", "table", "memory",
 * "defect" or "improved"; "unknown" for other numbers.
 *
 * The text is static: it is never freed. May be called from any thread at any time.
 */
const char *stp_code_name(stp_code code);

/**
 * Frees a text that a call has given to the caller; does nothing with NULL.
 *
 * Each text is freed once, by this function and no other. May be called from any thread.
 */
void stp_string_free(char *text);

/**
 * A new token.
 *
 * The caller frees it by stp_cancel_free. Never NULL. May be called from any thread.
 */
struct stp_cancel *stp_cancel_new(void);

/**
 * Stops all calls that have this token, now and later. Does nothing with NULL.
 *
 * Searches, builds, the checks of tables, and waits for another process that builds a table end
 * within some milliseconds. These are not interrupted, and the call ends after them: reading a
 * file that is loaded and copying bytes (some 0.1 s a GB), decompressing a file, the last steps of
 * a table's build, and strategic solutions (some milliseconds for 20x20). A short strategic
 * solution that is stopped, by a token or by max_time, is the longer one that is found first.
 *
 * Of a token that was cancelled before, or while a call ends: stp_solver_open, stp_solver_hint and
 * stp_solver_rate give STP_CANCELLED. stp_solver_solve answers what needs no search, such as the
 * goal. A list whose boards are all answered is STP_OK.
 *
 * May be called from any thread, at the same time as anything but stp_cancel_free, and from a
 * signal handler: it stores one number.
 */
void stp_cancel_cancel(const struct stp_cancel *cancel);

/**
 * 1 if the token was cancelled, else 0; 0 for NULL.
 *
 * May be called from any thread, at the same time as anything but stp_cancel_free.
 */
int32_t stp_cancel_is_cancelled(const struct stp_cancel *cancel);

/**
 * Frees a token; does nothing with NULL.
 *
 * No other call may use the token at the same time or later. Calls that were given it must have
 * returned.
 */
void stp_cancel_free(struct stp_cancel *cancel);

/**
 * The report as the JSON text that `solver --json` prints: docs/json.md has its fields. NULL for
 * NULL.
 *
 * Its `status` is of the facade, which does not know who ended a search: after STP_CANCELLED it is
 * "limit", or "solved" where an anytime search has a solution. `code` of the struct tells them
 * apart.
 *
 * The text belongs to the report and is valid as long as that is. It is written when it is first
 * asked for; NULL also after a defect of the library. May be called from any thread, also for one
 * report at once.
 */
const char *stp_report_json(const struct stp_report *report);

/**
 * A copy of a report, such as one that a callback was given; NULL for NULL.
 *
 * The caller frees it by stp_report_free. NULL also after a defect of the library. May be called
 * from any thread.
 */
struct stp_report *stp_report_copy(const struct stp_report *report);

/**
 * Frees a report with all that it points to; does nothing with NULL.
 *
 * Each report is freed once. Reports that callbacks are given are not the caller's to free. May be
 * called from any thread, if no other uses the report.
 */
void stp_report_free(struct stp_report *report);

/**
 * Opens a solver: finds its tables, or builds them. With NULL for the options the usual tables for
 * 4x4 are built in memory, in a tenth of a second.
 *
 * The caller frees the solver by stp_solver_free; after a failure `*solver` is NULL. `options` and
 * all that they point to are used until the call returns, and not later; `error` may be NULL. May
 * be called from several threads at once, and by several processes for one directory: a table is
 * built once.
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
 * The name of the solver's partition, such as "6-6-3". NULL for NULL.
 *
 * The text belongs to the solver and is valid as long as that is. May be called from any thread.
 */
const char *stp_solver_partition(const struct stp_solver *solver);

/**
 * Description of a solver, as JSON: `size`, `goal`, `metric`, `partition`, `threads`, and
 * `tables`, an array of objects with `table`, `kind`, `entries` and `tiles` (the numbers on the
 * tiles of each pattern that it serves). Where tables could not be kept in the directory, so that
 * the next call builds them again, `warnings` is an array of texts that say why. Where the library
 * has chosen smaller tables than the usual ones, or none, `reason` is a text that says why.
 *
 * The caller frees the text by stp_string_free; after a failure `*json` is NULL. `error` may be
 * NULL. May be called from several threads at once with one solver.
 */
stp_code stp_solver_info(const struct stp_solver *solver, char **json, struct stp_error *error);

/**
 * Solves a board: by default finds a shortest solution. With STP_OK the report has it. With
 * STP_UNSOLVABLE, STP_LIMIT and STP_CANCELLED there is a report too, which says why, and what is
 * proved. With other codes `*report` is NULL.
 *
 * The caller frees the report by stp_report_free. `board` is a text in any usual form, such as
 * "1 2 3/4 5 6/7 0 8"; it and the options are used until the call returns. `options` and `error`
 * may be NULL. May be called from several threads at once with one solver.
 */
stp_code stp_solver_solve(const struct stp_solver *solver,
                          const char *board,
                          const struct stp_solve_options *options,
                          struct stp_report **report,
                          struct stp_error *error);

/**
 * Finds all solutions of up to `within` moves more than a shortest one. The report has their
 * numbers in `count` and `counts`, and the moves of the first `most` of them in `solutions`, which
 * is NULL where `most` is 0; `moves` and `letters` are those of the first one all the same. The
 * mode is optimal, whatever the options say.
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
 * Solves a list of boards on all of the call's threads, and calls `on_report` for each with its
 * number and its report, in the order of the list. What is wrong with one board is in its report,
 * and the others go on: the call returns STP_OK when all have a report, and none was cut short.
 * The limits of the options are those of each board. When the call is cancelled the boards in work
 * are reported, and no others, and it returns STP_CANCELLED.
 *
 * `boards` has `count` texts, which are used until the call returns, as are the options.
 * `on_report` runs on the thread that made the call and must not be NULL; `user_data` is passed to
 * it.
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
 * Solves boards given as numbers: stp_solver_solve_list without reading texts.
 *
 * `numbers` has the boards' numbers in reading order, 0 for the blank, one board after the other:
 * `count` times as many as a board has cells. For the rest see stp_solver_solve_list.
 */
stp_code stp_solver_solve_numbers(const struct stp_solver *solver,
                                  const uint16_t *numbers,
                                  size_t count,
                                  const struct stp_solve_options *options,
                                  stp_on_report on_report,
                                  void *user_data,
                                  struct stp_error *error);

/**
 * The distance to the goal, and the good moves, as the JSON text that `solver hint --json`
 * prints. Of the options the limits, threads, token and progress count, whatever the mode. Without
 * limits the distance is proved, which takes as long as solving the board.
 *
 * The caller frees the text by stp_string_free; after a failure `*json` is NULL. `options` and
 * `error` may be NULL. May be called from several threads at once with one solver.
 */
stp_code stp_solver_hint(const struct stp_solver *solver,
                         const char *board,
                         const struct stp_solve_options *options,
                         char **json,
                         struct stp_error *error);

/**
 * Judges moves that were made from a board, as the JSON text that `solver rate --json` prints. The
 * moves are letters for the way the tile goes, such as "U2RD", or the numbers of the tiles.
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
 * The values of the tables for a board, entry by entry, as the JSON text that `solver probe
 * --json` prints, without `file`. Takes a few microseconds per part.
 *
 * The caller frees the text by stp_string_free; after a failure `*json` is NULL. `error` may be
 * NULL. May be called from several threads at once with one solver.
 */
stp_code stp_solver_probe(const struct stp_solver *solver,
                          const char *board,
                          char **json,
                          struct stp_error *error);

/**
 * The heuristic's value of a board: no solution is shorter. Takes some microseconds.
 *
 * After a failure `*estimate` is 0. `error` may be NULL. May be called from several threads at
 * once with one solver.
 */
stp_code stp_solver_estimate(const struct stp_solver *solver,
                             const char *board,
                             uint32_t *estimate,
                             struct stp_error *error);

/**
 * The heuristic's value for each of many boards, which must all have a solution. In single moves
 * and on trays of up to 64 cells a board takes about a microsecond; with one-bit tables from
 * the first call on that has a board for every tenth row of the tables (6-6-3: 4,000 boards).
 *
 * `numbers` has the boards' numbers in reading order, 0 for the blank, one board after the other:
 * `count` times as many as a board has cells. `estimates` has room for `count` values; after a
 * failure it has any values, and the message names the first wrong board, counted from 0. Of the
 * options threads and token count; `options` and `error` may be NULL. May be called from several
 * threads at once with one solver.
 */
stp_code stp_solver_estimates(const struct stp_solver *solver,
                              const uint16_t *numbers,
                              size_t count,
                              const struct stp_solve_options *options,
                              uint16_t *estimates,
                              struct stp_error *error);

/**
 * Reads a board in any usual form: rows parted by slashes, lists, drawings. `size` is such as
 * "4x4"; NULL: as the rows show, else a square.
 *
 * The caller frees the board by stp_board_free; after a failure `*board` is NULL. `error` may be
 * NULL. May be called from any thread.
 */
stp_code stp_board_parse(const char *input,
                         const char *size,
                         struct stp_board **board,
                         struct stp_error *error);

/**
 * A board of numbers in reading order, 0 for the blank, of which there must be as many as cells.
 *
 * The caller frees the board by stp_board_free; after a failure `*board` is NULL. The numbers are
 * copied. `error` may be NULL. May be called from any thread.
 */
stp_code stp_board_of_numbers(const uint16_t *numbers,
                              uint32_t columns,
                              uint32_t rows,
                              struct stp_board **board,
                              struct stp_error *error);

/**
 * The board of a goal: "blank-last", "blank-first", or a board; NULL: "blank-last". `size` is such
 * as "4x4"; NULL: that of the goal where that is a board, else 4x4.
 *
 * The caller frees the board by stp_board_free; after a failure `*board` is NULL. `error` may be
 * NULL. May be called from any thread.
 */
stp_code stp_board_of_goal(const char *goal,
                           const char *size,
                           struct stp_board **board,
                           struct stp_error *error);

/**
 * Frees a board with all that it points to; does nothing with NULL.
 *
 * Each board is freed once. May be called from any thread, if no other uses the board.
 */
void stp_board_free(struct stp_board *board);

/**
 * Whether a board can be solved: STP_OK, or STP_UNSOLVABLE with the reason as the message of
 * `error`. `goal` is as for stp_board_of_goal. `swap` has room for two numbers: those of two
 * tiles, the smaller first, whose swap makes the board solvable, else 0 and 0. It may be NULL.
 *
 * `error` may be NULL. May be called from any thread. Takes some microseconds.
 */
stp_code stp_board_check(const char *board,
                         const char *goal,
                         uint16_t *swap,
                         struct stp_error *error);

/**
 * The board after moves, which are letters for the way the tile goes, such as "U2RD", or the
 * numbers of the tiles. `is_goal` is set to 1 if it is the goal, else to 0; it may be NULL. `goal`
 * is as for stp_board_of_goal.
 *
 * The caller frees the result by stp_board_free; after a failure `*result` is NULL. `error` may be
 * NULL. May be called from any thread.
 */
stp_code stp_board_apply(const char *board,
                         const char *moves,
                         const char *goal,
                         struct stp_board **result,
                         int32_t *is_goal,
                         struct stp_error *error);

/**
 * A drawing of a board: `style` is "text", or "svg" for a picture, which with `moves` plays them.
 * `moves` may be NULL. `goal` is as for stp_board_of_goal: colours go by it.
 *
 * The caller frees the drawing by stp_string_free; after a failure `*drawing` is NULL. `error` may
 * be NULL. May be called from any thread.
 */
stp_code stp_board_draw(const char *board,
                        const char *goal,
                        const char *style,
                        const char *moves,
                        char **drawing,
                        struct stp_error *error);

/**
 * Moves that begin on a board, in another notation: STP_NOTATION_TILE and so on. They are given as
 * for stp_board_apply.
 *
 * The caller frees the text by stp_string_free; after a failure `*converted` is NULL. `error` may
 * be NULL. May be called from any thread.
 */
stp_code stp_moves_convert(const char *board,
                           const char *moves,
                           int32_t to,
                           char **converted,
                           struct stp_error *error);

/**
 * The moves back: those that undo `moves`, in the same notation.
 *
 * The caller frees the text by stp_string_free; after a failure `*inverse` is NULL. `error` may be
 * NULL. May be called from any thread.
 */
stp_code stp_moves_invert(const char *moves, char **inverse, struct stp_error *error);

/**
 * A stream of random boards with a seed.
 *
 * The caller frees it by stp_scrambler_free. Never NULL. May be called from any thread.
 */
struct stp_scrambler *stp_scrambler_new(uint64_t seed);

/**
 * Frees a stream; does nothing with NULL.
 *
 * No other call may use the stream at the same time or later.
 */
void stp_scrambler_free(struct stp_scrambler *scrambler);

/**
 * The next board, drawn uniformly from all that can be solved. `size` and `goal` are as for
 * stp_board_of_goal.
 *
 * The caller frees the board by stp_board_free; after a failure `*board` is NULL. `error` may be
 * NULL. Only one thread at a time may use a stream.
 */
stp_code stp_scrambler_draw(struct stp_scrambler *scrambler,
                            const char *size,
                            const char *goal,
                            struct stp_board **board,
                            struct stp_error *error);

/**
 * The board after this number of random moves from the goal, none of which undoes the one before,
 * and these moves unless `moves` is NULL. At most a million; on a tray of one line they end at the
 * frame. `size` and `goal` are as for stp_board_of_goal.
 *
 * The caller frees the board by stp_board_free and the moves by stp_string_free; after a failure
 * both are NULL. `error` may be NULL. Only one thread at a time may use a stream.
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
