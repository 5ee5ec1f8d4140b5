// SPDX-License-Identifier: GPL-3.0-or-later
// Rokada as a library: the rules of chess, games and PGN, the engine, the review of games. C99, for any language that can call C.
//
// Promises:
//  - Every function may be called from any thread at any time, on the same object too; an object is freed once, by its last user.
//  - No exception and no signal leaves the library; it prints nothing and never ends its host.
//  - What fails says so by its value; rokada_last_error() then has a sentence about it, per thread.
//  - Functions that give text write it to a buffer like snprintf: they return the length of the whole text (without its end mark),
//    write what fits, and always end what they wrote. Call with (NULL, 0) to ask for the length. Text is UTF-8.
//  - Within one number of ROKADA_API_MAJOR nothing is removed or changed; structures with a `size` may grow at their end.
#ifndef ROKADA_ROKADA_H
#define ROKADA_ROKADA_H

#include <stddef.h>
#include <stdint.h>

#define ROKADA_API_MAJOR 1
#define ROKADA_API_MINOR 0

#if defined(__GNUC__)
#define ROKADA_API __attribute__((visibility("default")))
#else
#define ROKADA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors and versions ------------------------------------------------------------------------- */

typedef enum rokada_error {
    ROKADA_OK = 0,
    ROKADA_ERROR_ARGUMENT = 1,  /* a null pointer, a number out of range, a wrong `size` */
    ROKADA_ERROR_POSITION = 2,  /* the text is no FEN, or the position is not legal */
    ROKADA_ERROR_MOVE = 3,      /* the text is no move, or the move is not legal */
    ROKADA_ERROR_STATE = 4,     /* not now: the game is over, nothing to take back, ... */
    ROKADA_ERROR_OPTION = 5,    /* no such option, or not this value */
    ROKADA_ERROR_NETWORK = 6,   /* the bytes are no usable network */
    ROKADA_ERROR_CANCELLED = 7, /* a callback asked for the end */
    ROKADA_ERROR_MEMORY = 8,
    ROKADA_ERROR_INTERNAL = 9
} rokada_error;

/* The sentence of the last failure in this thread; "" if there was none. Valid until the next call in this thread. */
ROKADA_API const char* rokada_last_error(void);
/* "ok", "argument", ... for any number. */
ROKADA_API const char* rokada_error_name(rokada_error error);

/* Of the library in use, as "1.2.3"; and (major << 16) + minor of its interface. */
ROKADA_API const char* rokada_version(void);
ROKADA_API uint32_t rokada_api_version(void);

/* ---- moves ------------------------------------------------------------------------------------------ */

/* 0 is no move. The bits are stable and may be stored: from, to (6 bits each, a1 = 0, h8 = 63), promotion, kind. Castling is the king
 * taking its own rook; rokada_move_uci() writes it as the position wants it. */
typedef uint16_t rokada_move;

ROKADA_API int rokada_move_from(rokada_move move);
ROKADA_API int rokada_move_to(rokada_move move);
/* 'n', 'b', 'r', 'q', or 0. */
ROKADA_API char rokada_move_promotion(rokada_move move);

typedef enum rokada_color { ROKADA_WHITE = 0, ROKADA_BLACK = 1 } rokada_color;

/* ---- positions -------------------------------------------------------------------------------------- */

typedef struct rokada_position rokada_position;

typedef enum rokada_board_status {
    ROKADA_PLAYING = 0,
    ROKADA_CHECKMATE = 1,
    ROKADA_STALEMATE = 2,
    ROKADA_INSUFFICIENT_MATERIAL = 3
} rokada_board_status;

/* No legal position has more moves than this. */
#define ROKADA_MAX_MOVES 448

/* FEN, X-FEN or Shredder-FEN; NULL for the usual start. */
ROKADA_API rokada_error rokada_position_new(const char* fen, rokada_position** position);
/* Start positions of Chess960, 0 to 959; 518 is the usual one. */
ROKADA_API rokada_error rokada_position_new_chess960(int number, rokada_position** position);
ROKADA_API rokada_error rokada_position_copy(const rokada_position* original,
                                             rokada_position** position);
ROKADA_API void rokada_position_free(rokada_position* position);

ROKADA_API size_t rokada_position_fen(const rokada_position* position, char* text, size_t size);
ROKADA_API rokada_color rokada_position_turn(const rokada_position* position);
/* As in FEN: 'K', 'p', ...; 0 for an empty square. Squares count from a1 = 0 by b1 = 1 to h8 = 63. */
ROKADA_API char rokada_position_piece(const rokada_position* position, int square);
ROKADA_API int rokada_position_in_check(const rokada_position* position);
/* Equal for positions that count as the same for repetition. */
ROKADA_API uint64_t rokada_position_key(const rokada_position* position);
ROKADA_API rokada_board_status rokada_position_status(const rokada_position* position);

/* Writes up to `capacity` moves, returns how many there are. */
ROKADA_API size_t rokada_position_legal_moves(const rokada_position* position, rokada_move* moves,
                                              size_t capacity);
ROKADA_API int rokada_position_is_legal(const rokada_position* position, rokada_move move);
ROKADA_API rokada_error rokada_position_play(rokada_position* position, rokada_move move);
/* Leaves of the tree of legal moves; depth 0 to 20. */
ROKADA_API rokada_error rokada_position_perft(const rokada_position* position, int depth,
                                              uint64_t* leaves);

/* Reads "e2e4" and "e7e8q", castling in either form; or "Nf3", "exd5", "O-O". */
ROKADA_API rokada_error rokada_position_parse_uci(const rokada_position* position, const char* text,
                                                  rokada_move* move);
ROKADA_API rokada_error rokada_position_parse_san(const rokada_position* position, const char* text,
                                                  rokada_move* move);
/* The move must be legal; 0 and "" otherwise. */
ROKADA_API size_t rokada_move_uci(const rokada_position* position, rokada_move move, char* text,
                                  size_t size);
ROKADA_API size_t rokada_move_san(const rokada_position* position, rokada_move move, char* text,
                                  size_t size);

/* ---- games ------------------------------------------------------------------------------------------- */

typedef struct rokada_game rokada_game;

typedef enum rokada_draw_rule {
    ROKADA_DRAWS_AUTOMATIC =
        0,                   /* threefold repetition and fifty moves end the game by themselves */
    ROKADA_DRAWS_CLAIMED = 1 /* a player claims them; fivefold and 75 moves still end it */
} rokada_draw_rule;

typedef enum rokada_result {
    ROKADA_UNFINISHED = 0,
    ROKADA_WHITE_WINS = 1,
    ROKADA_BLACK_WINS = 2,
    ROKADA_DRAW = 3,
    ROKADA_ABORTED = 4
} rokada_result;

/* NULL for the usual start. */
ROKADA_API rokada_error rokada_game_new(const rokada_position* start, rokada_draw_rule rule,
                                        rokada_game** game);
ROKADA_API rokada_error rokada_game_copy(const rokada_game* original, rokada_game** game);
ROKADA_API void rokada_game_free(rokada_game* game);

ROKADA_API rokada_error rokada_game_play(rokada_game* game, rokada_move move);
/* With the mover's time left after the move, which goes into the PGN. */
ROKADA_API rokada_error rokada_game_play_timed(rokada_game* game, rokada_move move,
                                               int64_t clock_milliseconds);
ROKADA_API rokada_error rokada_game_play_uci(rokada_game* game, const char* text);
ROKADA_API rokada_error rokada_game_play_san(rokada_game* game, const char* text);
ROKADA_API rokada_error rokada_game_take_back(rokada_game* game);

/* Plies played; each of them (0 outside); the position after so many of them, a new object. */
ROKADA_API size_t rokada_game_length(const rokada_game* game);
ROKADA_API rokada_move rokada_game_move(const rokada_game* game, size_t ply);
ROKADA_API rokada_error rokada_game_position(const rokada_game* game, size_t plies,
                                             rokada_position** position);
/* How often the current position has stood on the board. */
ROKADA_API int rokada_game_repetitions(const rokada_game* game);

ROKADA_API rokada_result rokada_game_result(const rokada_game* game);
/* A stable word: "checkmate", "stalemate", "threefold-repetition", ...; "" while it is played. Never freed. */
ROKADA_API const char* rokada_game_end_reason(const rokada_game* game);
ROKADA_API rokada_error rokada_game_claim_draw(rokada_game* game);
ROKADA_API rokada_error rokada_game_agree_draw(rokada_game* game);
ROKADA_API rokada_error rokada_game_resign(rokada_game* game, rokada_color who);
/* The player's time is over: a loss, or a draw if the opponent could never mate. */
ROKADA_API rokada_error rokada_game_flag_fell(rokada_game* game, rokada_color who);
ROKADA_API rokada_error rokada_game_abort(rokada_game* game);

/* Code and name of the opening ("C50 Italian Game"); 0 and "" if it has none. */
ROKADA_API size_t rokada_game_opening(const rokada_game* game, char* text, size_t size);

/* ---- PGN --------------------------------------------------------------------------------------------- */

/* Tags of a game: White, Black, Event, ...; Result, FEN and SetUp follow from the game itself. */
ROKADA_API rokada_error rokada_game_set_tag(rokada_game* game, const char* name, const char* value);
ROKADA_API size_t rokada_game_tag(const rokada_game* game, const char* name, char* text,
                                  size_t size);
ROKADA_API size_t rokada_game_pgn(const rokada_game* game, char* text, size_t size);

/* All games of a text. Reading never fails: a broken game is there as far as it could be read, and what was wrong is told. */
typedef struct rokada_pgn rokada_pgn;
ROKADA_API rokada_error rokada_pgn_parse(const char* text, size_t length, rokada_pgn** pgn);
ROKADA_API void rokada_pgn_free(rokada_pgn* pgn);
ROKADA_API size_t rokada_pgn_games(const rokada_pgn* pgn);
/* The main line of one of them with its tags, a new object. */
ROKADA_API rokada_error rokada_pgn_game(const rokada_pgn* pgn, size_t number, rokada_game** game);
ROKADA_API size_t rokada_pgn_problems(const rokada_pgn* pgn);
/* "game 2, line 17, column 4: ..." */
ROKADA_API size_t rokada_pgn_problem(const rokada_pgn* pgn, size_t number, char* text, size_t size);

/* ---- the engine -------------------------------------------------------------------------------------- */

typedef struct rokada_engine rokada_engine;

typedef enum rokada_bound {
    ROKADA_EXACT = 0,
    ROKADA_AT_LEAST = 1,
    ROKADA_AT_MOST = 2
} rokada_bound;

typedef struct rokada_info {
    size_t size;
    int32_t depth;
    int32_t selective_depth;
    int32_t multipv; /* rank of the line, from 1 */
    int32_t is_mate;
    int32_t
        score; /* for the side to move: centipawns, or moves to mate (negative when being mated) */
    int32_t bound; /* rokada_bound */
    uint64_t nodes;
    int64_t milliseconds;
    uint64_t tablebase_hits;
    int32_t hash_full; /* per mille */
    uint32_t line_length;
    const rokada_move* line;
    const char* line_uci; /* the same, separated by blanks */
} rokada_info;

/* Called from threads of the engine, one at a time; what they point to lives for the call. Any may be NULL. They may call the library,
 * but neither wait for the engine nor free it. */
typedef struct rokada_callbacks {
    size_t size; /* sizeof(rokada_callbacks) */
    void* user;  /* handed to each of them */
    void (*on_info)(void* user, const rokada_info* info);
    /* Exactly once for every rokada_engine_go and _think. 0 when there is no legal move; ponder is the reply expected, if any. */
    void (*on_best_move)(void* user, rokada_move move, rokada_move ponder);
    void (*on_message)(void* user, const char* text);
} rokada_callbacks;

/* What is 0 is not limited; nothing at all means: until stopped. */
typedef struct rokada_limits {
    size_t size; /* sizeof(rokada_limits) */
    int64_t white_milliseconds, black_milliseconds;
    int64_t white_increment, black_increment;
    int64_t move_milliseconds;
    uint64_t nodes;
    int32_t moves_to_go;
    int32_t depth;
    int32_t mate; /* look for a mate in this many moves */
    int32_t infinite;
    int32_t ponder; /* think on the opponent's time until rokada_engine_ponder_hit */
    int32_t search_moves_length;
    const rokada_move* search_moves; /* only these, if any */
} rokada_limits;

/* callbacks may be NULL. */
ROKADA_API rokada_error rokada_engine_new(const rokada_callbacks* callbacks,
                                          rokada_engine** engine);
/* Stops and waits. ROKADA_ERROR_STATE, and nothing happens, inside one of the engine's own callbacks. */
ROKADA_API rokada_error rokada_engine_free(rokada_engine* engine);

/* The moves lead to the position to think about; they count for repetition. */
ROKADA_API rokada_error rokada_engine_set_position(rokada_engine* engine,
                                                   const rokada_position* start,
                                                   const rokada_move* moves, size_t length);
ROKADA_API rokada_error rokada_engine_set_game(rokada_engine* engine, const rokada_game* game);

/* Begins and returns at once; a search that runs is replaced. */
ROKADA_API rokada_error rokada_engine_go(rokada_engine* engine, const rokada_limits* limits);
/* Thinks in the calling thread. move is 0 when there is no legal move; ponder may be NULL. */
ROKADA_API rokada_error rokada_engine_think(rokada_engine* engine, const rokada_limits* limits,
                                            rokada_move* move, rokada_move* ponder);
ROKADA_API rokada_error rokada_engine_stop(rokada_engine* engine);
ROKADA_API rokada_error rokada_engine_ponder_hit(rokada_engine* engine);
/* Forgets everything learnt. */
ROKADA_API rokada_error rokada_engine_new_game(rokada_engine* engine);
/* Until no search runs. ROKADA_ERROR_STATE inside one of the engine's own callbacks. */
ROKADA_API rokada_error rokada_engine_wait(rokada_engine* engine);
ROKADA_API int rokada_engine_searching(const rokada_engine* engine);

/* Levels: plays like a person of this Elo; 0 for full strength. */
ROKADA_API rokada_error rokada_engine_set_elo(rokada_engine* engine, int elo);
ROKADA_API int rokada_weakest_elo(void);
ROKADA_API int rokada_strongest_elo(void);

/* Options, the same as in UCI: Hash, Threads, MultiPV, ... Names compare without regard to case. */
typedef enum rokada_option_field {
    ROKADA_OPTION_NAME = 0,
    ROKADA_OPTION_TYPE = 1, /* "check", "spin", "combo", "button", "string" */
    ROKADA_OPTION_VALUE = 2,
    ROKADA_OPTION_DEFAULT = 3,
    ROKADA_OPTION_MIN = 4,
    ROKADA_OPTION_MAX = 5,
    ROKADA_OPTION_CHOICES = 6, /* one per line */
    ROKADA_OPTION_HELP = 7     /* one sentence */
} rokada_option_field;
ROKADA_API size_t rokada_engine_options(const rokada_engine* engine);
ROKADA_API size_t rokada_engine_option(const rokada_engine* engine, size_t number,
                                       rokada_option_field field, char* text, size_t size);
ROKADA_API rokada_error rokada_engine_set_option(rokada_engine* engine, const char* name,
                                                 const char* value);
/* Takes another network than the built-in one, from the bytes of a file. */
ROKADA_API rokada_error rokada_engine_load_network(rokada_engine* engine, const void* bytes,
                                                   size_t size);

/* ---- review of a game ---------------------------------------------------------------------------- */

typedef struct rokada_review rokada_review;

typedef struct rokada_review_options {
    size_t size;    /* sizeof(rokada_review_options) */
    uint64_t nodes; /* for each position; what is 0 does not count, all 0 means 100,000 nodes */
    int64_t milliseconds;
    int32_t depth;
    int32_t without_reasons;
    void* user;
    /* Told steps done of all steps; any value but 0 cancels. May be NULL. */
    int (*on_progress)(void* user, int done, int all);
} rokada_review_options;

typedef struct rokada_reviewed_move {
    size_t size; /* set it to sizeof(rokada_reviewed_move) before asking */
    rokada_move move;
    rokada_move better;    /* the best move; the same if that was played */
    const char* judgement; /* "best", "blunder", ...; never freed */
    double
        win_before; /* the mover's chance with the best move and after the played one, 0 to 100 */
    double win_after;
    double loss;
    double accuracy; /* 0 to 100; -1 for forced and book moves */
} rokada_reviewed_move;

/* Takes as long as the budget says, in the calling thread. options may be NULL. */
ROKADA_API rokada_error rokada_review_game(const rokada_game* game,
                                           const rokada_review_options* options,
                                           rokada_review** review);
ROKADA_API void rokada_review_free(rokada_review* review);
ROKADA_API size_t rokada_review_moves(const rokada_review* review);
ROKADA_API rokada_error rokada_review_move(const rokada_review* review, size_t number,
                                           rokada_reviewed_move* move);
/* 0 to 100; -1 for too short a game. */
ROKADA_API double rokada_review_accuracy(const rokada_review* review, rokada_color who);
/* Everything, reasons included, in the form described in docs/review.md. */
ROKADA_API size_t rokada_review_json(const rokada_review* review, char* text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
