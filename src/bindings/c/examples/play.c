// SPDX-License-Identifier: GPL-3.0-or-later
// A short game of the engine at 1200 Elo against itself, then its score sheet and review.
#include <rokada/rokada.h>
#include <stdio.h>
#include <stdlib.h>

static void check(rokada_error error) {
    if (error == ROKADA_OK) return;
    fprintf(stderr, "%s: %s\n", rokada_error_name(error), rokada_last_error());
    exit(1);
}

static void on_info(void* user, const rokada_info* info) {
    (void)info;
    ++*(int*)user;
}

static int on_progress(void* user, int done, int all) {
    (void)user;
    return done > all; /* never: goes on to the end */
}

int main(void) {
    printf("librokada %s\n", rokada_version());

    /* What is wrong is told in words. */
    rokada_position* wrong = NULL;
    if (rokada_position_new("8/8/8/8/8/8/8/8 w - - 0 1", &wrong) != ROKADA_ERROR_POSITION) return 1;
    printf("refused: %s\n", rokada_last_error());

    rokada_game* game = NULL;
    check(rokada_game_new(NULL, ROKADA_DRAWS_AUTOMATIC, &game));
    check(rokada_game_set_tag(game, "White", "Rokada 1200"));
    check(rokada_game_set_tag(game, "Black", "Rokada 1200"));

    int lines = 0;
    rokada_callbacks callbacks = {0};
    callbacks.size = sizeof callbacks;
    callbacks.user = &lines;
    callbacks.on_info = on_info;
    rokada_engine* engine = NULL;
    check(rokada_engine_new(&callbacks, &engine));
    check(rokada_engine_set_option(engine, "Hash", "4"));
    check(rokada_engine_set_elo(engine, 1200));

    rokada_limits limits = {0};
    limits.size = sizeof limits;
    limits.nodes = 2000;
    while (rokada_game_result(game) == ROKADA_UNFINISHED && rokada_game_length(game) < 12) {
        rokada_move move = 0;
        check(rokada_engine_set_game(engine, game));
        check(rokada_engine_think(engine, &limits, &move, NULL));
        check(rokada_game_play(game, move));
    }
    if (lines == 0 || rokada_game_length(game) == 0) return 1;
    check(rokada_engine_free(engine));

    const size_t length = rokada_game_pgn(game, NULL, 0);
    char* pgn = malloc(length + 1);
    if (!pgn) return 1;
    rokada_game_pgn(game, pgn, length + 1);
    printf("%s\n", pgn);
    free(pgn);

    rokada_review_options options = {0};
    options.size = sizeof options;
    options.nodes = 500;
    options.on_progress = on_progress;
    rokada_review* review = NULL;
    check(rokada_review_game(game, &options, &review));
    for (size_t i = 0; i < rokada_review_moves(review); ++i) {
        rokada_reviewed_move reviewed = {0};
        reviewed.size = sizeof reviewed;
        check(rokada_review_move(review, i, &reviewed));
        rokada_position* before = NULL;
        check(rokada_game_position(game, i, &before));
        char san[16];
        rokada_move_san(before, reviewed.move, san, sizeof san);
        printf("%2d. %-7s %s\n", (int)(i + 1), san, reviewed.judgement);
        rokada_position_free(before);
    }
    rokada_review_free(review);
    rokada_game_free(game);
    return 0;
}
