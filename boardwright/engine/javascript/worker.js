// Thinks beside the page: gets states, answers with decisions. engine.js is put before this file.

let engine = null;

onmessage = async ({ data }) => {
  try {
    if (data.wasm) {
      engine = await Engine.open(data.wasm, data.manifest);
      postMessage({ ready: true });
      return;
    }
    const game = engine.load(data.state);
    const decision = engine.decide(game, data.budget);
    game.free();
    postMessage({ id: data.id, decision });
  } catch (error) {
    postMessage({ id: data.id, error: error.message });
  }
};
