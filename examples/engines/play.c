/* Plays one game of any exported engine against itself and prints the scores.
 *
 *   boardwright engine connect_four --agent uct:iterations=1000 --target native --out lib
 *   cc examples/engines/play.c -Ilib lib/connect_four.so -Wl,-rpath,$PWD/lib -o play && ./play
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "boardwright_engine.h"

int main(void) {
    size_t size = (bw_memory_size() + 63) / 64 * 64, state_size = (bw_state_size() + 63) / 64 * 64;
    void *state = aligned_alloc(64, state_size);
    bw_engine *engine = bw_open(aligned_alloc(64, size), size);
    int32_t code = bw_new_game(engine, state, 7, 2, NULL, 0), moves = 0;
    double scores[8];

    while (code >= 0 && bw_player(engine, state) != BW_TERMINAL) {
        int32_t action = bw_decide(engine, state, 1 + (uint64_t)moves, 0);
        code = action < 0 ? action : bw_apply(engine, state, action);
        moves++;
    }
    if (code < 0) {
        fprintf(stderr, "%s\n", bw_error_text(code));
        return 1;
    }
    int32_t seats = bw_scores(engine, state, scores, 8);
    printf("%" PRId32 " moves, scores:", moves);
    for (int32_t seat = 0; seat < seats; seat++) printf(" %g", scores[seat]);
    printf("\n");
    return 0;
}
