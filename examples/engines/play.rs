// Plays one game of any exported engine against itself and prints the scores.
//
//   boardwright engine connect_four --agent uct:iterations=1000 --target native --out lib
//   rustc examples/engines/play.rs -C link-arg=lib/connect_four.so -C link-arg=-Wl,-rpath,$PWD/lib -o play && ./play
use std::ffi::c_void;

extern "C" {
    fn bw_memory_size() -> usize;
    fn bw_state_size() -> usize;
    fn bw_open(memory: *mut c_void, size: usize) -> *mut c_void;
    fn bw_new_game(engine: *mut c_void, state: *mut c_void, seed: u64, seats: i32, options: *const i64, n: i32) -> i32;
    fn bw_player(engine: *mut c_void, state: *const c_void) -> i32;
    fn bw_apply(engine: *mut c_void, state: *mut c_void, action: i32) -> i32;
    fn bw_scores(engine: *mut c_void, state: *const c_void, out: *mut f64, room: i32) -> i32;
    fn bw_decide(engine: *mut c_void, state: *const c_void, seed: u64, iterations: i32) -> i32;
}

/// Memory aligned to 16 bytes.
fn block(size: usize) -> *mut c_void {
    Box::leak(vec![0u128; size / 16 + 1].into_boxed_slice()).as_mut_ptr().cast()
}

fn main() {
    unsafe {
        let engine = bw_open(block(bw_memory_size()), bw_memory_size());
        let state = block(bw_state_size());
        assert_eq!(bw_new_game(engine, state, 7, 2, std::ptr::null(), 0), 0);
        let mut moves = 0u64;
        while bw_player(engine, state) >= 0 {
            moves += 1;
            let action = bw_decide(engine, state, moves, 0);
            assert!(action >= 0 && bw_apply(engine, state, action) == 0);
        }
        let mut scores = [0f64; 8];
        let seats = bw_scores(engine, state, scores.as_mut_ptr(), 8) as usize;
        println!("{} moves, scores: {:?}", moves, &scores[..seats]);
    }
}
