/* Measures the cost of a call in C: the average time to parse and solve an easy board and to free
 * its report, in nanoseconds.
 *
 *     overhead REPETITIONS THREADS
 *
 * Prints two numbers: the time without and with the JSON text of the report. overhead.rs does the
 * same in Rust; scripts/measure/c_library.py runs both. */

#define _POSIX_C_SOURCE 200809L

#include <slidingtilepdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double measure(const stp_solver *solver, long repetitions, int with_json)
{
    double begun = now();
    for (long i = 0; i < repetitions; i++) {
        stp_report *report;
        stp_error error;
        if (stp_solver_solve(solver, "2 5 3 4/1 6 7 8/9 10 11 12/13 14 0 15", NULL, NULL, NULL,
                             &report, &error) != STP_OK || report->length != 11)
            exit(EXIT_FAILURE);
        if (with_json && stp_report_json(report)[0] != '{')
            exit(EXIT_FAILURE);
        stp_report_free(report);
    }
    return (now() - begun) / (double)repetitions;
}

int main(int argc, char **argv)
{
    stp_session *session;
    stp_solver *solver;
    stp_error error;
    char options[40];
    if (argc != 3)
        return EXIT_FAILURE;
    long repetitions = atol(argv[1]);
    snprintf(options, sizeof options, "{\"threads\": %d}", atoi(argv[2]));
    if (stp_session_open(NULL, options, &session, &error) != STP_OK ||
        stp_solver_open(session, NULL, NULL, NULL, NULL, &solver, &error) != STP_OK)
        return EXIT_FAILURE;
    measure(solver, repetitions / 10, 1);
    printf("%.1f ", measure(solver, repetitions, 0));
    printf("%.1f\n", measure(solver, repetitions, 1));
    stp_solver_free(solver);
    stp_session_free(session);
    return EXIT_SUCCESS;
}
