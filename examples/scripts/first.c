/* The smallest bot in C: plays any game at random.   cc -O2 -o first first.c
   The host writes compact JSON with its keys in a fixed order, so that searching for texts is enough. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        if (strstr(line, "{\"type\":\"hello\"") == line) {
            char *seed = strstr(line, "\"seed\":");
            srand(seed ? (unsigned)strtoull(seed + 7, NULL, 10) : 0);
            puts("{\"type\":\"ready\",\"protocol\":1,\"name\":\"first in C\"}");
        } else if (strstr(line, "{\"type\":\"decide\"") == line) {
            long chosen = 0;
            int seen = 0;
            char *at = strstr(line, "\"legal\":[");
            while (at && (at = strstr(at, "{\"action\":"))) { /* each action takes its turn at being chosen */
                long action = strtol(at + 10, &at, 10);
                if (rand() % ++seen == 0) chosen = action;
            }
            printf("{\"type\":\"action\",\"action\":%ld}\n", chosen);
        } else {
            continue; /* the end of a game has no answer */
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
