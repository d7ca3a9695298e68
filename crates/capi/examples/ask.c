/* Asks the questions in the arguments, or else some that a game asks: a random board, its drawing, a
 * hint, the board after moves, and a rating of the moves.
 *
 *     cc -std=c11 ask.c $(pkg-config --cflags --libs slidingtilepdb) -o ask
 *     ./ask '{"ask": "solve", "board": "8 6 7/2 5 4/3 0 1", "all": true}' */

#include <slidingtilepdb.h>
#include <stdio.h>
#include <stdlib.h>

static char *const QUESTIONS[] = {
    "{\"ask\": \"scramble\", \"size\": \"3x3\", \"seed\": 7}",
    "{\"ask\": \"draw\", \"board\": \"8 6 7/2 5 4/3 0 1\"}",
    "{\"ask\": \"hint\", \"board\": \"8 6 7/2 5 4/3 0 1\"}",
    "{\"ask\": \"apply\", \"board\": \"1 2 3/4 0 6/7 5 8\", \"moves\": \"UL\"}",
    "{\"ask\": \"rate\", \"board\": \"1 2 3/4 0 6/7 5 8\", \"moves\": \"RLUL\"}",
};

int main(int argc, char **argv)
{
    char *const *questions = argc > 1 ? argv + 1 : QUESTIONS;
    int count = argc > 1 ? argc - 1 : (int)(sizeof QUESTIONS / sizeof *QUESTIONS);
    int worst = EXIT_SUCCESS;
    stp_session *session;
    stp_error error;

    if (stp_session_open(NULL, NULL, &session, &error) != STP_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    for (int i = 0; i < count; i++) {
        char *answer;
        if (stp_call(session, questions[i], NULL, NULL, NULL, &answer, &error) != STP_OK)
            worst = EXIT_FAILURE;
        puts(answer ? answer : error.message);
        stp_string_free(answer);
    }
    stp_session_free(session);
    return worst;
}
