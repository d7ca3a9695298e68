/* Solves the boards in the arguments, or else a board of 55 moves.
 *
 *     cc -std=c11 solve.c $(pkg-config --cflags --libs slidingtilepdb) -o solve
 *     ./solve "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13"
 *
 * STP_PARTITION in the environment selects other tables than 6-6-3. */

#include <slidingtilepdb.h>
#include <stdio.h>
#include <stdlib.h>

static int print_answer(const stp_solver *solver, const char *board)
{
    stp_report *report;
    stp_error error;
    stp_code code = stp_solver_solve(solver, board, NULL, NULL, NULL, &report, &error);
    if (code == STP_OK)
        printf("%d moves: %s (%llu nodes, %.3f ms)\n", (int)report->length, report->moves,
               (unsigned long long)report->nodes, report->ms);
    else
        fprintf(stderr, "%s\n", error.message);
    stp_report_free(report);
    return code == STP_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    const char *partition = getenv("STP_PARTITION");
    char options[200];
    stp_session *session;
    stp_solver *solver;
    stp_error error;
    int worst = EXIT_SUCCESS;

    snprintf(options, sizeof options, "{\"partition\": \"%s\", \"max_time\": 60}",
             partition ? partition : "6-6-3");
    if (stp_session_open(NULL, NULL, &session, &error) != STP_OK ||
        stp_solver_open(session, options, NULL, NULL, NULL, &solver, &error) != STP_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    if (argc < 2)
        worst = print_answer(solver, "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13");
    for (int i = 1; i < argc; i++)
        if (print_answer(solver, argv[i]) != EXIT_SUCCESS)
            worst = EXIT_FAILURE;
    stp_solver_free(solver);
    stp_session_free(session);
    return worst;
}
