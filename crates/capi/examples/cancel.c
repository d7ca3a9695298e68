/* Cancels one search from another thread, and one by its callback.
 *
 *     cc -std=c11 cancel.c $(pkg-config --cflags --libs slidingtilepdb) -pthread -o cancel
 *
 * The board needs 80 moves. Solving it without tables takes hours. */

#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <slidingtilepdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void *cancel_soon(void *token)
{
    struct timespec a_tenth = { 0, 100000000 };
    nanosleep(&a_tenth, NULL);
    stp_cancel_cancel(token);
    return NULL;
}

/* Stops the search when a bound is proved. */
static int stop_at(const char *event, void *bound)
{
    return strstr(event, bound) != NULL;
}

static int solve_until_stopped(const stp_solver *solver, stp_on_event on_event, void *user_data,
                               const stp_cancel *token)
{
    stp_report *report;
    stp_error error;
    stp_code code = stp_solver_solve(solver, "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1", on_event,
                                     user_data, token, &report, &error);
    if (code == STP_CANCELLED)
        printf("cancelled: no solution is shorter than %d moves\n", (int)report->bound);
    else
        fprintf(stderr, "not cancelled: %s\n", error.message);
    stp_report_free(report);
    return code == STP_CANCELLED ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(void)
{
    char bound[] = "\"bound\":58";
    stp_session *session;
    stp_solver *solver;
    stp_error error;
    pthread_t thread;
    int worst;

    if (stp_session_open(NULL, NULL, &session, &error) != STP_OK ||
        stp_solver_open(session, "{\"partition\": \"manhattan\"}", NULL, NULL, NULL, &solver,
                        &error) != STP_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }

    /* Cancels with a token, which must live until the call and the other thread have ended. */
    stp_cancel *token = stp_cancel_new();
    if (pthread_create(&thread, NULL, cancel_soon, token) != 0)
        return EXIT_FAILURE;
    worst = solve_until_stopped(solver, NULL, NULL, token);
    pthread_join(thread, NULL);
    stp_cancel_free(token);

    /* Stops with the callback. */
    if (solve_until_stopped(solver, stop_at, bound, NULL) != EXIT_SUCCESS)
        worst = EXIT_FAILURE;
    stp_solver_free(solver);
    stp_session_free(session);
    return worst;
}
