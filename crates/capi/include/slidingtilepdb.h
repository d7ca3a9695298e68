/*
 * libslidingtilepdb: pattern databases and the solver of sliding-tile puzzles.
 *
 * Generated from crates/capi by scripts/build/c.sh --header. Do not edit.
 *
 * Conventions, unless a function states otherwise:
 *
 * - Texts are UTF-8 and end with a NUL. Text arguments are used until the call returns.
 * - Questions, options, answers and events are JSON objects: see docs/c.md and docs/json.md.
 * - Calls that can fail return a code, STP_OK or another, and write an explanation to `error`, a
 *   variable of the caller that may be NULL. Errors are stored nowhere else: neither per thread nor
 *   in the library.
 * - The caller frees the result of a call exactly once, with the function that the description of
 *   the call names. After a failure there is nothing to free, except an answer of stp_call and a
 *   report. Functions that free do nothing with NULL.
 * - No call depends on state of the process, or changes such state. There is one exception: threads
 *   that build tables do not free a small amount of memory for sharing work.
 * - Different threads may use different objects at once. Sessions, solvers, reports and tokens may
 *   also be shared, except while they are freed. Work that a call started on other threads has
 *   ended when the call returns.
 * - Callbacks run on the thread that made the call, before it returns.
 * - Calls return STP_ERROR for a null pointer where none is allowed, for a text that is not UTF-8,
 *   and for invalid numbers. Pointers that are neither NULL nor valid cannot be detected.
 *
 * A program:
 *
 *     stp_session *session;
 *     char *answer;
 *     if (stp_session_open(NULL, NULL, &session, NULL) == STP_OK) {
 *         const char *question = "{"ask": "solve", "board": "8 6 7/2 5 4/3 0 1"}";
 *         stp_call(session, question, NULL, NULL, NULL, &answer, NULL);
 *         puts(answer);
 *         stp_string_free(answer);
 *         stp_session_free(session);
 *     }
 *
 * Order of this header: constants; structs and callbacks; then the functions: version, texts,
 * tokens, sessions and questions (stp_call), reports, solvers (stp_solver_solve), lists.
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
#define STP_ABI_VERSION 2

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
 * Size of a message in bytes, including the final NUL.
 */
#define STP_MESSAGE_SIZE 1020

/**
 * A cancellation token. Cancelling it stops the calls that use it. One token may be passed to any
 * number of calls, at once or in sequence. Once cancelled it stays cancelled.
 */
typedef struct stp_cancel stp_cancel;

/**
 * Answers questions. A session keeps the tables that its calls open.
 */
typedef struct stp_session stp_session;

/**
 * A goal, its tables, and the options of solving its boards.
 */
typedef struct stp_solver stp_solver;

/**
 * The result of a call, or the outcome of a board: one of STP_OK, STP_ERROR and so on. Later
 * versions may add codes.
 */
typedef int32_t stp_code;

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
     * One line for people, in UTF-8, with a final NUL; empty after STP_OK. Texts may change in any
     * version.
     */
    char message[STP_MESSAGE_SIZE];
} stp_error;

/**
 * Receives the events of a call: the progress of builds and searches, better solutions of an
 * anytime search, and warnings. docs/c.md lists them. A search reports its progress about a
 * thousand times per second. If the callback returns 0, the call continues; any other number stops
 * it, and the callback receives no further events.
 *
 * `event` is a JSON object, valid until the callback returns. The callback runs on the thread that
 * made the call, before the call returns. It must not throw an exception, leave by longjmp, or free
 * an argument of the call. It may make other calls, also with the same session; but while tables
 * are opened or built, the same session opens no others.
 */
typedef int (*stp_on_event)(const char *event, void *user_data);

/**
 * The result of solving one board. The library allocates and frees reports, so later versions may
 * add members at the end. A report never changes, so any number of threads may read it at once. It
 * owns everything that it points to. stp_report_json has further fields.
 */
typedef struct stp_report {
    /**
     * The outcome: STP_OK, STP_UNSOLVABLE, STP_LIMIT or STP_CANCELLED; in lists also STP_ERROR and
     * STP_TABLE.
     */
    stp_code code;
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
     * Generated nodes.
     */
    uint64_t nodes;
    /**
     * Milliseconds of the search of this board alone.
     */
    double ms;
    /**
     * The moves of the solution in the requested notation. Empty if the board is the goal; NULL if
     * there is no solution.
     */
    const char *moves;
    /**
     * The solution as moves of single tiles: one letter (U, D, L or R) per move, for the direction
     * of the tile. NULL if there is no solution. In the metric "multi" a move can slide several
     * tiles, so there can be more letters than `length`.
     */
    const char *letters;
    /**
     * Why there is no solution, or why the search ended; NULL after success.
     */
    const char *message;
    /**
     * For the library.
     */
    const void *data;
} stp_report;

/**
 * Receives the report of each board of a list, in the order of the list. Boards are numbered from
 * 0. If the callback returns 0, the list continues; any other number ends it.
 *
 * The report is valid until the callback returns and must not be freed; stp_report_copy keeps it.
 * While the callback runs, other threads solve the next boards, at most a few hundred. For the
 * other rules see stp_on_event.
 */
typedef int (*stp_on_report)(size_t number, const struct stp_report *report, void *user_data);

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
 * the last steps of a build, and strategic solutions (a few milliseconds for 20x20).
 *
 * A call whose token is cancelled before it returns, and that solves boards or opens tables,
 * returns STP_CANCELLED. Calls for lists return STP_OK if all boards are answered.
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
 * Opens a session.
 *
 * `directory` is a directory of tables, which need not exist, or NULL. Missing tables are built and
 * stored there. If the directory cannot be written, the new tables are used from memory, and a
 * warning is reported. Without a directory, tables are built in memory. Files are mapped, so they
 * must not be truncated or overwritten while the session is open; otherwise the system ends the
 * process with SIGBUS. Replacing a file by a new one of the same name, as the library does, is
 * safe.
 *
 * `options` is a JSON object with the settings of docs/c.md, such as {"threads": 2}, or NULL.
 *
 * The caller frees the session with stp_session_free; after a failure `*session` is NULL. `error`
 * may be NULL. May be called from any thread. Takes a few microseconds.
 */
stp_code stp_session_open(const char *directory,
                          const char *options,
                          struct stp_session **session,
                          struct stp_error *error);

/**
 * Frees a session; does nothing with NULL.
 *
 * No other call may use the session at the same time or later. Its solvers stay valid.
 */
void stp_session_free(struct stp_session *session);

/**
 * Adds a table to a session: the bytes of its file, which may be packed or compressed with zstd.
 * Every checksum is verified. The bytes are copied. Calls that open tables later use the table
 * instead of building it.
 *
 * `bytes` has `length` bytes, which are used until the call returns. `cancel` and `error` may be
 * NULL. May be called from several threads at once with one session.
 */
stp_code stp_session_add_table(const struct stp_session *session,
                               const uint8_t *bytes,
                               size_t length,
                               const struct stp_cancel *cancel,
                               struct stp_error *error);

/**
 * Answers a question. `request` is a JSON object: `ask` is the name of the question, and the other
 * fields are its options, such as {"ask": "hint", "board": "1 2 3/4 5 6/7 0 8"}. docs/c.md lists
 * the questions, docs/json.md describes the answers. The first question about the boards of a goal
 * opens its tables, or builds them; the session keeps them for later questions.
 *
 * `*answer` is a JSON text: the answer, or after a failure an object with `code`, `message` and, for
 * boards that cannot be solved and for stopped searches, the fields of the board's report. The
 * caller frees it with stp_string_free. It is NULL after STP_DEFECT, and for a null pointer or a
 * `request` that is not UTF-8.
 *
 * `on_event` receives `user_data`. `on_event`, `cancel` and `error` may be NULL. The arguments are
 * used until the call returns. May be called from several threads at once with one session; calls
 * that open tables wait for each other.
 */
stp_code stp_call(const struct stp_session *session,
                  const char *request,
                  stp_on_event on_event,
                  void *user_data,
                  const struct stp_cancel *cancel,
                  char **answer,
                  struct stp_error *error);

/**
 * The report as the JSON text that stp_call answers, see docs/json.md. Returns NULL if `report` is
 * NULL or if a defect of the library stops the call.
 *
 * The text belongs to the report and is valid as long as the report. It is created at the first
 * request. May be called from several threads at once for one report.
 */
const char *stp_report_json(const struct stp_report *report);

/**
 * Keeps a report, for example of a callback: returns a report with the same contents, which the
 * caller frees with stp_report_free. Returns NULL if `report` is NULL.
 *
 * May be called from any thread. Copies no memory.
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
 * Opens a solver, for many boards of one goal: finds or builds the tables of the goal. Solving a
 * board then takes a few microseconds more than its search.
 *
 * `options` is a JSON object with the options of the question `solve` except the board, such as
 * {"size": "3x3", "max_time": 2.5}, or NULL for the default tables of 4x4, which are built in a
 * tenth of a second.
 *
 * The caller frees the solver with stp_solver_free; after a failure `*solver` is NULL. For
 * `on_event`, `user_data`, `cancel`, `error` and threads see stp_call.
 */
stp_code stp_solver_open(const struct stp_session *session,
                         const char *options,
                         stp_on_event on_event,
                         void *user_data,
                         const struct stp_cancel *cancel,
                         struct stp_solver **solver,
                         struct stp_error *error);

/**
 * Frees a solver; does nothing with NULL.
 *
 * No other call may use the solver at the same time or later. Reports stay valid.
 */
void stp_solver_free(struct stp_solver *solver);

/**
 * Solves a board. With STP_OK the report contains the solution. With STP_UNSOLVABLE, STP_LIMIT and
 * STP_CANCELLED the report contains the reason and the proved bound. With other codes `*report` is
 * NULL.
 *
 * `board` is a text in any usual form, such as "1 2 3/4 5 6/7 0 8". The caller frees the report with
 * stp_report_free. For `on_event`, `user_data`, `cancel` and `error` see stp_call. May be called
 * from several threads at once with one solver.
 */
stp_code stp_solver_solve(const struct stp_solver *solver,
                          const char *board,
                          stp_on_event on_event,
                          void *user_data,
                          const struct stp_cancel *cancel,
                          struct stp_report **report,
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
 * board, counted from 0. `cancel` and `error` may be NULL. May be called from several threads at
 * once with one solver.
 */
stp_code stp_solver_estimates(const struct stp_solver *solver,
                              const uint16_t *numbers,
                              size_t count,
                              const struct stp_cancel *cancel,
                              uint16_t *estimates,
                              struct stp_error *error);

/**
 * Solves a list of boards on all threads of the solver's options, and calls `on_report` for each
 * board, with its number and its report, in the order of the list. An error of one board is stored
 * in the report of this board. The other boards are still solved, and the call still returns
 * STP_OK. The limits of the options apply to each board. If the call is cancelled, only the boards
 * in progress are still reported, and the call returns STP_CANCELLED.
 *
 * `boards` contains `count` texts, which are used until the call returns. `on_report` runs on the
 * thread that made the call and must not be NULL; it receives `user_data`. `cancel` and `error` may
 * be NULL. May be called from several threads at once with one solver.
 */
stp_code stp_solver_solve_list(const struct stp_solver *solver,
                               const char *const *boards,
                               size_t count,
                               stp_on_report on_report,
                               void *user_data,
                               const struct stp_cancel *cancel,
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
                                  stp_on_report on_report,
                                  void *user_data,
                                  const struct stp_cancel *cancel,
                                  struct stp_error *error);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SLIDINGTILEPDB_H */
