/* The functions that a game needs besides a solver: random boards, moves, hints, a rating, a drawing.
 *
 *     cc -std=c11 rules.c $(pkg-config --cflags --libs slidingtilepdb) -o rules */

#include <slidingtilepdb.h>
#include <stdio.h>
#include <stdlib.h>

static stp_error error;

/* Ends the program if a call fails. */
static void expect(stp_code code)
{
    if (code != STP_OK) {
        fprintf(stderr, "%s: %s\n", stp_code_name(code), error.message);
        exit(EXIT_FAILURE);
    }
}

int main(void)
{
    stp_open_options options = { .struct_size = sizeof options, .size = "3x3" };
    stp_scrambler *scrambler = stp_scrambler_new(7);
    stp_solver *solver;
    stp_report *report;
    stp_board *board, *end;
    char *text;
    int32_t is_goal;

    expect(stp_solver_open(&options, &solver, &error));
    expect(stp_scrambler_draw(scrambler, "3x3", NULL, &board, &error));
    expect(stp_board_draw(board->text, NULL, "text", NULL, &text, &error));
    puts(text);
    stp_string_free(text);
    printf("number at the top left: %d of %zu\n", board->numbers[0], board->cells);

    expect(stp_solver_hint(solver, board->text, NULL, &text, &error));
    puts(text);
    stp_string_free(text);

    expect(stp_solver_solve(solver, board->text, NULL, &report, &error));
    expect(stp_board_apply(board->text, report->letters, NULL, &end, &is_goal, &error));
    printf("%s after %zu moves: %s\n", end->text, report->letter_count,
           is_goal ? "solved" : "not solved");
    stp_board_free(end);

    expect(stp_moves_convert(board->text, report->letters, STP_NOTATION_NUMBERS, &text, &error));
    printf("tiles that move: %s\n", text);
    stp_string_free(text);

    expect(stp_solver_rate(solver, board->text, report->letters, NULL, &text, &error));
    stp_string_free(text);

    stp_report_free(report);
    stp_board_free(board);
    stp_solver_free(solver);
    stp_scrambler_free(scrambler);
    return is_goal ? EXIT_SUCCESS : EXIT_FAILURE;
}
