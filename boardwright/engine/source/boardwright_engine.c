/* The public functions over what Boardwright compiled: arguments are checked here, before compiled rules see them. */
#include "boardwright_engine.h"

#include "engine_config.h"

/* What is used of the C library; declared here, because not every target comes with its headers. */
void *memcpy(void *restrict, const void *restrict, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
void *malloc(size_t);
void *aligned_alloc(size_t, size_t);
void free(void *);

#if defined(__wasm__)
#define BW_API(name) __attribute__((export_name(#name)))
#elif defined(_WIN32)
#define BW_API(name) __declspec(dllexport)
#else
#define BW_API(name) __attribute__((visibility("default")))
#endif

/* As Numba calls functions: a place for the result, one for an error, the arguments. */
typedef const void *error_info;
#define NOTHING ((void *)&(void *){0}) /* where a function without a result writes that */
int32_t boardwright_setup(void *, error_info *, void *state, uint64_t seed, int64_t seats, const void *options);
int32_t boardwright_player(int64_t *, error_info *, const void *state);
int32_t boardwright_legal(int64_t *, error_info *, const void *state, int64_t *out);
int32_t boardwright_apply(void *, error_info *, void *state, int64_t action);
int32_t boardwright_returns(void *, error_info *, const void *state, double *out);
int32_t boardwright_scores(void *, error_info *, const void *state, double *out);
int32_t boardwright_observe(void *, error_info *, void *state, int64_t seat);
int32_t boardwright_determinize(void *, error_info *, void *state, int64_t seat, uint64_t seed);
int32_t boardwright_action_observation(int64_t *, error_info *, const void *state, int64_t action, int64_t seat);
int32_t boardwright_seats(int64_t *, error_info *, const void *state);
int32_t boardwright_begin(void *, error_info *, void *memory, const void *state, int64_t seat, int64_t seats,
                          uint64_t seed);
int32_t boardwright_advance(void *, error_info *, void *memory, int64_t iterations);
int32_t boardwright_finish(int64_t *, error_info *, void *memory, int64_t seat);

#define MAGIC UINT64_C(0x656e67696e653031)
#define STATE_MAGIC UINT64_C(0x7374617465303031)
#define STATE_HEADER 16
#define AGENT_START ((BW_CONFIG_SCRATCH + 63) / 64 * 64)

struct bw_engine {
    uint64_t magic;
    int32_t seat;                  /* of the decision under way, or -1 */
    int32_t reasons;               /* how many the last decision has */
    int64_t legal[BW_CONFIG_MAX_LEGAL];
    double values[8];
    _Alignas(16) unsigned char state[BW_CONFIG_RECORD_SIZE];
};
#define BW_CONFIG_SCRATCH sizeof(struct bw_engine)

/* A block that holds a state: a mark, a checksum of the record, the record. */
struct header {
    uint64_t magic, checksum;
};

static const unsigned char initial[] = {
#embed "initial.bin"
};
static const struct segment {
    uint64_t offset, stored, length;
    int32_t is_half;
} segments[] = {BW_CONFIG_SEGMENTS};
static const struct bounds {
    int64_t low, high;
} options_allowed[] = {BW_CONFIG_OPTIONS};

static unsigned char *agent_of(bw_engine *engine) { return (unsigned char *)engine + AGENT_START; }
static unsigned char *record_of(const void *state) { return (unsigned char *)state + STATE_HEADER; }

static uint64_t checksum(const unsigned char *bytes) {
    uint64_t sum = UINT64_C(0x9e3779b97f4a7c15), word;
    size_t i = 0;
    for (; i + 8 <= BW_CONFIG_RECORD_SIZE; i += 8) {
        memcpy(&word, bytes + i, 8);
        sum = (sum ^ word) * UINT64_C(0xd6e8feb86659fd93);
        sum ^= sum >> 32;
    }
    for (; i < BW_CONFIG_RECORD_SIZE; i++) sum = (sum ^ bytes[i]) * UINT64_C(0xd6e8feb86659fd93);
    return sum;
}

static void seal(void *state) {
    struct header *header = state;
    header->magic = STATE_MAGIC;
    header->checksum = checksum(record_of(state));
}

static int32_t check(const bw_engine *engine, const void *state) {
    const struct header *header = state;
    if (!engine || !state) return BW_BAD_ARGUMENT;
    if (engine->magic != MAGIC) return BW_NOT_AN_ENGINE;
    if (header->magic != STATE_MAGIC || header->checksum != checksum(record_of(state))) return BW_NOT_A_STATE;
    return 0;
}

static float half_to_float(uint16_t half) {
    uint32_t sign = (uint32_t)(half >> 15) << 31, exponent = half >> 10 & 31, mantissa = half & 1023, bits;
    float result;
    if (exponent == 0 && mantissa == 0) {
        bits = sign;
    } else if (exponent == 0) {
        exponent = 113;
        while (!(mantissa & 1024)) mantissa <<= 1, exponent--;
        bits = sign | exponent << 23 | (mantissa & 1023) << 13;
    } else {
        bits = sign | (exponent + 112) << 23 | mantissa << 13;
    }
    memcpy(&result, &bits, 4);
    return result;
}

BW_API(bw_abi_version) int32_t bw_abi_version(void) { return BW_CONFIG_ABI; }
BW_API(bw_digest) const char *bw_digest(void) { return BW_CONFIG_DIGEST; }
BW_API(bw_state_size) size_t bw_state_size(void) { return STATE_HEADER + BW_CONFIG_RECORD_SIZE; }
BW_API(bw_memory_size) size_t bw_memory_size(void) { return AGENT_START + BW_CONFIG_AGENT_SIZE; }
BW_API(bw_max_legal) int32_t bw_max_legal(void) { return BW_CONFIG_MAX_LEGAL; }
BW_API(bw_num_actions) int32_t bw_num_actions(void) { return BW_CONFIG_NUM_ACTIONS; }

BW_API(bw_error_text) const char *bw_error_text(int32_t code) {
    switch (code) {
    case BW_TERMINAL: return "the game is over";
    case BW_BAD_ARGUMENT: return "a null pointer, or a seat, count or size out of range";
    case BW_ILLEGAL_ACTION: return "the action is not legal in this state";
    case BW_GAME_OVER: return "the game is over; nothing can be played or decided";
    case BW_BAD_OPTIONS: return "the game is not played with these seats or options; the manifest lists them";
    case BW_NOT_AN_ENGINE: return "this memory was not opened with bw_open, or was written to";
    case BW_RULE_FAILED: return "a rule of the game raised an error";
    case BW_NO_DECISION: return "no decision was begun with bw_begin";
    case BW_NOT_YOUR_TURN: return "another seat has to choose";
    case BW_NOT_A_STATE: return "this block does not hold a state of this game, or was changed from outside";
    }
    return code >= 0 ? "no error" : "unknown error";
}

BW_API(bw_open) bw_engine *bw_open(void *memory, size_t size) {
    bw_engine *engine = memory;
    if (!memory || size < bw_memory_size()) return NULL;
    memset(memory, 0, bw_memory_size());
    for (size_t i = 0; i < sizeof segments / sizeof *segments; i++) {
        unsigned char *to = agent_of(engine) + segments[i].offset;
        const unsigned char *from = initial + segments[i].stored;
        if (!segments[i].is_half) {
            memcpy(to, from, segments[i].length);
            continue;
        }
        size_t count = segments[i].length / 2;
        for (size_t k = 0; k < count; k++) {
            float value = half_to_float((uint16_t)(from[k] | from[count + k] << 8));
            memcpy(to + 4 * k, &value, 4);
        }
    }
    engine->magic = MAGIC;
    engine->seat = -1;
    return engine;
}

BW_API(bw_new_game)
int32_t bw_new_game(bw_engine *engine, void *state, uint64_t seed, int32_t seats, const int64_t *options, int32_t n) {
    error_info error;
    if (!engine || !state || n < 0 || (n && !options)) return BW_BAD_ARGUMENT;
    if (engine->magic != MAGIC) return BW_NOT_AN_ENGINE;
    if (seats < 1 || seats > 31 || !(BW_CONFIG_SEATS >> seats & 1)) return BW_BAD_OPTIONS;
    int64_t codes[BW_CONFIG_NUM_OPTIONS + 1];
    static const int64_t defaults[] = {BW_CONFIG_DEFAULTS};
    memcpy(codes, defaults, sizeof codes);
    if (n > BW_CONFIG_NUM_OPTIONS) return BW_BAD_OPTIONS;
    for (int32_t i = 0; i < n; i++) {
        if (options[i] < options_allowed[i].low || options[i] > options_allowed[i].high) return BW_BAD_OPTIONS;
        codes[i] = options[i];
    }
    memset(state, 0, bw_state_size());
    if (boardwright_setup(NOTHING, &error, record_of(state), seed, seats, codes)) return BW_RULE_FAILED;
    seal(state);
    return 0;
}

BW_API(bw_adopt) int32_t bw_adopt(bw_engine *engine, void *state) {
    if (!engine || !state) return BW_BAD_ARGUMENT;
    if (engine->magic != MAGIC) return BW_NOT_AN_ENGINE;
    seal(state);
    return 0;
}

static int32_t player_of(const void *state, int64_t *player) {
    error_info error;
    return boardwright_player(player, &error, record_of(state)) ? BW_RULE_FAILED : 0;
}

BW_API(bw_player) int32_t bw_player(bw_engine *engine, const void *state) {
    int64_t player = 0;
    int32_t code = check(engine, state);
    if (!code) code = player_of(state, &player);
    return code ? code : (int32_t)player;
}

BW_API(bw_seats) int32_t bw_seats(bw_engine *engine, const void *state) {
    int64_t seats = 0;
    error_info error;
    int32_t code = check(engine, state);
    if (!code && boardwright_seats(&seats, &error, record_of(state))) code = BW_RULE_FAILED;
    return code ? code : (int32_t)seats;
}

/* The legal actions, into engine->legal; how many, or an error. */
static int32_t legal_of(bw_engine *engine, const void *state) {
    int64_t n = 0, player = 0;
    error_info error;
    int32_t code = check(engine, state);
    if (!code) code = player_of(state, &player);
    if (code) return code;
    if (player < 0) return 0;
    if (boardwright_legal(&n, &error, record_of(state), engine->legal)) return BW_RULE_FAILED;
    return n < 0 || n > BW_CONFIG_MAX_LEGAL ? BW_RULE_FAILED : (int32_t)n;
}

BW_API(bw_legal_actions)
int32_t bw_legal_actions(bw_engine *engine, const void *state, int32_t *out, int32_t room) {
    int32_t n = legal_of(engine, state);
    if (n < 0) return n;
    if (room < 0 || (room && !out)) return BW_BAD_ARGUMENT;
    for (int32_t i = 0; i < n && i < room; i++) out[i] = (int32_t)engine->legal[i];
    return n;
}

BW_API(bw_apply) int32_t bw_apply(bw_engine *engine, void *state, int32_t action) {
    error_info error;
    int32_t n = legal_of(engine, state);
    if (n < 0) return n;
    if (n == 0) return BW_GAME_OVER;
    for (int32_t i = 0; i < n; i++)
        if (engine->legal[i] == action) {
            if (boardwright_apply(NOTHING, &error, record_of(state), action)) return BW_RULE_FAILED;
            seal(state);
            return 0;
        }
    return BW_ILLEGAL_ACTION;
}

static int32_t values_of(bw_engine *engine, const void *state, double *out, int32_t room,
                         int32_t (*rule)(void *, error_info *, const void *, double *)) {
    error_info error;
    int32_t seats = bw_seats(engine, state);
    if (seats < 0) return seats;
    if (room < 0 || (room && !out)) return BW_BAD_ARGUMENT;
    memset(engine->values, 0, sizeof engine->values);
    if (rule(NOTHING, &error, record_of(state), engine->values)) return BW_RULE_FAILED;
    for (int32_t i = 0; i < seats && i < room; i++) out[i] = engine->values[i];
    return seats;
}

BW_API(bw_returns) int32_t bw_returns(bw_engine *engine, const void *state, double *out, int32_t room) {
    return values_of(engine, state, out, room, boardwright_returns);
}

BW_API(bw_scores) int32_t bw_scores(bw_engine *engine, const void *state, double *out, int32_t room) {
    return values_of(engine, state, out, room, boardwright_scores);
}

BW_API(bw_observe) int32_t bw_observe(bw_engine *engine, const void *state, int32_t seat, void *out) {
    error_info error;
    int32_t seats = bw_seats(engine, state);
    if (seats < 0) return seats;
    if (!out || seat < 0 || seat >= seats) return BW_BAD_ARGUMENT;
    memmove(out, state, bw_state_size());
    if (boardwright_observe(NOTHING, &error, record_of(out), seat)) return BW_RULE_FAILED;
    seal(out);
    return 0;
}

BW_API(bw_determinize) int32_t bw_determinize(bw_engine *engine, void *observation, int32_t seat, uint64_t seed) {
    error_info error;
    int32_t seats = bw_seats(engine, observation);
    if (seats < 0) return seats;
    if (seat < 0 || seat >= seats) return BW_BAD_ARGUMENT;
    if (boardwright_determinize(NOTHING, &error, record_of(observation), seat, seed)) return BW_RULE_FAILED;
    seal(observation);
    return 0;
}

BW_API(bw_action_observation)
int32_t bw_action_observation(bw_engine *engine, const void *state, int32_t action, int32_t seat) {
    int64_t seen = 0;
    error_info error;
    int32_t seats = bw_seats(engine, state), n = legal_of(engine, state);
    if (seats < 0) return seats;
    if (n < 0) return n;
    if (seat < 0 || seat >= seats) return BW_BAD_ARGUMENT;
    for (int32_t i = 0; i < n; i++)
        if (engine->legal[i] == action)
            return boardwright_action_observation(&seen, &error, record_of(state), action, seat) ? BW_RULE_FAILED
                                                                                                : (int32_t)seen;
    return BW_ILLEGAL_ACTION;
}

BW_API(bw_copy) int32_t bw_copy(bw_engine *engine, const void *state, void *out) {
    int32_t code = check(engine, state);
    if (code) return code;
    if (!out) return BW_BAD_ARGUMENT;
    memmove(out, state, bw_state_size());
    return 0;
}

BW_API(bw_begin) int32_t bw_begin(bw_engine *engine, const void *state, uint64_t seed) {
    error_info error;
    int32_t seats = bw_seats(engine, state);
    int64_t player = 0;
    if (seats < 0) return seats;
    engine->seat = -1;
    int32_t code = player_of(state, &player);
    if (code) return code;
    if (player < 0) return BW_GAME_OVER;
    if (!(BW_CONFIG_AGENT_SEATS >> seats & 1)) return BW_BAD_OPTIONS;
    memcpy(engine->state, record_of(state), BW_CONFIG_RECORD_SIZE);
    if (boardwright_observe(NOTHING, &error, engine->state, player)) return BW_RULE_FAILED;
    if (boardwright_begin(NOTHING, &error, agent_of(engine), engine->state, player, seats, seed)) return BW_RULE_FAILED;
    engine->seat = (int32_t)player;
    return 0;
}

BW_API(bw_think) int32_t bw_think(bw_engine *engine, int32_t iterations) {
    error_info error;
    if (!engine || iterations < 0) return BW_BAD_ARGUMENT;
    if (engine->magic != MAGIC) return BW_NOT_AN_ENGINE;
    if (engine->seat < 0) return BW_NO_DECISION;
    return boardwright_advance(NOTHING, &error, agent_of(engine), iterations) ? BW_RULE_FAILED : 0;
}

BW_API(bw_conclude) int32_t bw_conclude(bw_engine *engine) {
    error_info error;
    int64_t n = 0, action;
    if (!engine) return BW_BAD_ARGUMENT;
    if (engine->magic != MAGIC) return BW_NOT_AN_ENGINE;
    if (engine->seat < 0) return BW_NO_DECISION;
    if (boardwright_finish(&n, &error, agent_of(engine), engine->seat) || n < 1) return BW_RULE_FAILED;
    engine->seat = -1;
    engine->reasons = (int32_t)n;
    memcpy(&action, agent_of(engine) + BW_CONFIG_OUTCOME_ACTION, 8);
    return (int32_t)action;
}

BW_API(bw_decide) int32_t bw_decide(bw_engine *engine, const void *state, uint64_t seed, int32_t iterations) {
    int32_t code = iterations < 0 ? BW_BAD_ARGUMENT : bw_begin(engine, state, seed);
    if (!code) code = bw_think(engine, iterations ? iterations : BW_CONFIG_ITERATIONS);
    return code ? code : bw_conclude(engine);
}

BW_API(bw_reasons) int32_t bw_reasons(bw_engine *engine, bw_option_weight *out, int32_t room) {
    if (!engine || room < 0 || (room && !out)) return BW_BAD_ARGUMENT;
    if (engine->magic != MAGIC) return BW_NOT_AN_ENGINE;
    const unsigned char *agent = agent_of(engine);
    for (int32_t i = 0; i < engine->reasons && i < room; i++) {
        int64_t action, visits;
        memcpy(&action, agent + BW_CONFIG_OUTCOME_ACTION + 8 * i, 8);
        memcpy(&visits, agent + BW_CONFIG_OUTCOME_VISITS + 8 * i, 8);
        memcpy(&out[i].value, agent + BW_CONFIG_OUTCOME_VALUE + 8 * i, 8);
        memcpy(&out[i].prior, agent + BW_CONFIG_OUTCOME_PRIOR + 8 * i, 8);
        out[i].action = (int32_t)action;
        out[i].visits = visits > INT32_MAX ? INT32_MAX : (int32_t)visits;
    }
    return engine->reasons;
}

#if defined(BW_WITHOUT_LIBRARY)
/* WebAssembly without a C library, which takes half a minute to compile where that was not done before. Free blocks are in
 * a list by address; a block is so many units of 64 bytes, and the first of them says how many. */
#define UNIT 64
#define PAGE 65536
struct block {
    size_t units;
    struct block *next;
};
static struct block *free_blocks;

static void join_next(struct block *block) {
    if (!block->next || (unsigned char *)block + block->units * UNIT != (unsigned char *)block->next) return;
    block->units += block->next->units;
    block->next = block->next->next;
}

static void give_back(struct block *block) {
    struct block *before = NULL, *after = free_blocks;
    while (after && after < block) before = after, after = after->next;
    block->next = after;
    join_next(block);
    if (!before) {
        free_blocks = block;
        return;
    }
    before->next = block;
    join_next(before);
}

static struct block *take(size_t units) {
    for (struct block **place = &free_blocks; *place; place = &(*place)->next) {
        struct block *found = *place;
        if (found->units < units) continue;
        *place = found->next;
        if (found->units > units) {
            struct block *rest = (struct block *)((unsigned char *)found + units * UNIT);
            rest->units = found->units - units;
            rest->next = *place;
            *place = rest;
            found->units = units;
        }
        return found;
    }
    return NULL;
}

void *malloc(size_t size) {
    if (size > SIZE_MAX / 2) return NULL;
    size_t units = 1 + (size + UNIT - 1) / UNIT, pages = (units * UNIT + PAGE - 1) / PAGE;
    struct block *block = take(units);
    if (!block) {
        size_t grown = __builtin_wasm_memory_grow(0, pages);
        if (grown == SIZE_MAX) return NULL;
        block = (struct block *)(grown * PAGE);
        block->units = pages * PAGE / UNIT;
        give_back(block);
        block = take(units);
    }
    return (unsigned char *)block + UNIT;
}

void *aligned_alloc(size_t alignment, size_t size) { return alignment > UNIT ? NULL : malloc(size); }

void free(void *memory) {
    if (memory) give_back((struct block *)((unsigned char *)memory - UNIT));
}

BW_API(_initialize) void _initialize(void) {} /* hosts call it before all else */
#endif

#if defined(__wasm__)
/* A host outside of the memory needs a way to get some of it. */
BW_API(bw_allocate) void *bw_allocate(size_t size) { return aligned_alloc(64, (size + 63) / 64 * 64); }
BW_API(bw_free) void bw_free(void *block) { free(block); }
#endif

/* Rules that make arrays of their own, with np.zeros, get them from here. Compiled rules read `data` at its place on a
 * machine of 64 bits, on every machine. */
struct array_memory {
    int64_t references;
    _Alignas(8) void *destructor;
    _Alignas(8) void *destructor_argument;
    _Alignas(8) void *data;
    int64_t size;
};
static_assert(offsetof(struct array_memory, data) == 24);

void *NRT_MemInfo_alloc_aligned(int64_t size, int32_t alignment) {
    struct array_memory *memory = malloc(sizeof *memory + (size_t)size + (size_t)alignment);
    if (!memory) return NULL;
    uintptr_t start = (uintptr_t)(memory + 1);
    start = (start + (uintptr_t)alignment - 1) / (uintptr_t)alignment * (uintptr_t)alignment;
    *memory = (struct array_memory){1, NULL, NULL, (void *)start, size};
    return memory;
}

/* What an error of a rule says; nobody reads it here. */
void *NRT_Allocate(int64_t size) { return malloc((size_t)size); }
void NRT_Free(void *block) { free(block); }
