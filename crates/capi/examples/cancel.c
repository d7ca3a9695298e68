/* Cancels one search from another thread, and one by its progress callback.
 *
 *     cc -std=c11 cancel.c $(pkg-config --cflags --libs slidingtilepdb) -pthread -o cancel
 *
 * The board needs 80 moves. Solving it without tables takes hours. */

#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <slidingtilepdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char *const HARD = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";

static void *cancel_soon(void *token)
{
    struct timespec a_tenth = { 0, 100000000 };
    nanosleep(&a_tenth, NULL);
    stp_cancel_cancel(token);
    return NULL;
}

/* Stops the search when a bound is proved. */
static int stop_at(const stp_search_status *status, void *bound)
{
    return status->bound >= *(const unsigned *)bound;
}

static int solve_until_stopped(const stp_solver *solver, const stp_solve_options *options)
{
    stp_report *report;
    stp_error error;
    stp_code code = stp_solver_solve(solver, HARD, options, &report, &error);
    if (code != STP_CANCELLED) {
        fprintf(stderr, "not cancelled, but %s: %s\n", stp_code_name(code), error.message);
        stp_report_free(report);
        return EXIT_FAILURE;
    }
    printf("cancelled: no solution is shorter than %d moves\n", (int)report->bound);
    stp_report_free(report);
    return EXIT_SUCCESS;
}

int main(void)
{
    stp_open_options none = { .struct_size = sizeof none, .partition = "manhattan" };
    stp_solve_options options = { .struct_size = sizeof options };
    unsigned bound = 58;
    stp_solver *solver;
    stp_error error;
    pthread_t thread;
    int worst;

    if (stp_solver_open(&none, &solver, &error) != STP_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }

    /* Cancels with a token, which must live until the call and the other thread have ended. */
    stp_cancel *token = stp_cancel_new();
    if (pthread_create(&thread, NULL, cancel_soon, token) != 0)
        return EXIT_FAILURE;
    options.cancel = token;
    worst = solve_until_stopped(solver, &options);
    pthread_join(thread, NULL);
    stp_cancel_free(token);

    /* Stops with the callback. */
    options.cancel = NULL;
    options.on_progress = stop_at;
    options.user_data = &bound;
    if (solve_until_stopped(solver, &options) != EXIT_SUCCESS)
        worst = EXIT_FAILURE;
    stp_solver_free(solver);
    return worst;
}
