/* A game of Boardwright and an agent that plays it, without Python. docs/engines.md explains every function.
 *
 * Nothing here keeps global state: games live in blocks of bw_state_size() bytes, an engine in one block of
 * bw_memory_size() bytes. The caller provides both, aligned to 16 bytes, and may copy states with memcpy. One engine
 * may be used by one thread at a time.
 *
 * Functions return a number from 0 on, or one of the negative codes below; bw_error_text() says what it means.
 */
#ifndef BOARDWRIGHT_ENGINE_H
#define BOARDWRIGHT_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BW_TERMINAL (-1)            /* of bw_player: the game is over */
#define BW_BAD_ARGUMENT (-2)        /* a null pointer, or a seat or size out of range */
#define BW_ILLEGAL_ACTION (-3)      /* the action is not legal in this state */
#define BW_GAME_OVER (-4)           /* nothing can be played or decided any more */
#define BW_BAD_OPTIONS (-5)         /* seats or options that the game does not have */
#define BW_NOT_AN_ENGINE (-6)       /* the memory was not opened with bw_open, or is damaged */
#define BW_RULE_FAILED (-7)         /* a rule raised an error: a bug of the game */
#define BW_NO_DECISION (-8)         /* bw_think or bw_conclude without bw_begin */
#define BW_NOT_YOUR_TURN (-9)       /* another seat has to choose */
#define BW_NOT_A_STATE (-10)        /* the block does not hold a state of this game, or was changed from outside */

typedef struct bw_engine bw_engine;

typedef struct bw_option_weight {   /* what the agent thinks of one action */
    int32_t action;
    int32_t visits;
    double value;                   /* the return it expects, in the game's units; NaN: it does not say */
    double prior;                   /* probability before the search; NaN: it has none */
} bw_option_weight;

int32_t bw_abi_version(void);
const char *bw_digest(void);        /* of the manifest that belongs to this library */
const char *bw_error_text(int32_t code);

size_t bw_state_size(void);
size_t bw_memory_size(void);
int32_t bw_max_legal(void);
int32_t bw_num_actions(void);

bw_engine *bw_open(void *memory, size_t size);                     /* NULL if the block is too small */

int32_t bw_new_game(bw_engine *engine, void *state, uint64_t seed, int32_t seats, const int64_t *options, int32_t n);
int32_t bw_adopt(bw_engine *engine, void *state);      /* vouch for a record that was written from outside: see the docs */
int32_t bw_player(bw_engine *engine, const void *state);           /* a seat from 0 on, or BW_TERMINAL */
int32_t bw_seats(bw_engine *engine, const void *state);
int32_t bw_legal_actions(bw_engine *engine, const void *state, int32_t *out, int32_t room);    /* how many there are */
int32_t bw_apply(bw_engine *engine, void *state, int32_t action);
int32_t bw_returns(bw_engine *engine, const void *state, double *out, int32_t room);           /* how many seats */
int32_t bw_scores(bw_engine *engine, const void *state, double *out, int32_t room);
int32_t bw_observe(bw_engine *engine, const void *state, int32_t seat, void *out);
int32_t bw_determinize(bw_engine *engine, void *observation, int32_t seat, uint64_t seed);
int32_t bw_action_observation(bw_engine *engine, const void *state, int32_t action, int32_t seat);  /* what others see */
int32_t bw_copy(bw_engine *engine, const void *state, void *out);

/* The agent decides for the seat to move. It looks at an observation that is made of the state here: it cannot see what
 * is hidden from that seat. `iterations` 0 means the budget it was exported with. */
int32_t bw_decide(bw_engine *engine, const void *state, uint64_t seed, int32_t iterations);    /* the action */

/* The same in steps, for budgets of time: begin, think as often as there is time, conclude. */
int32_t bw_begin(bw_engine *engine, const void *state, uint64_t seed);
int32_t bw_think(bw_engine *engine, int32_t iterations);
int32_t bw_conclude(bw_engine *engine);                                                        /* the action */

int32_t bw_reasons(bw_engine *engine, bw_option_weight *out, int32_t room);   /* of the last decision, best first */

#ifdef __cplusplus
}
#endif
#endif
