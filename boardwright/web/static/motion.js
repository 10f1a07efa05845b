// What moved, as a short motion from where it was; what is new fades in. Nothing moves where the system asks for that.

const TIME = 320; // milliseconds

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Where each thing with a name is on the screen, by its key without the place it is in: a card of a hand keeps its name
// when it goes to a tableau.
export function placesOf(picture) {
  const places = new Map();
  for (const thing of picture?.querySelectorAll("[data-key]") ?? []) places.set(thing.dataset.key, thing.getBoundingClientRect());
  return places;
}

export function moveFrom(places, picture) {
  if (calm() || !places.size) return;
  const gone = new Map([...places].filter(([key]) => !picture.querySelector(`[data-key="${CSS.escape(key)}"]`)).map(([key, place]) => [tail(key), place]));
  for (const thing of picture.querySelectorAll("[data-key]")) {
    const before = places.get(thing.dataset.key) ?? gone.get(tail(thing.dataset.key));
    const now = thing.getBoundingClientRect();
    if (!before) {
      if (typeof thing.animate === "function") thing.animate([{ opacity: 0 }, { opacity: 1 }], { duration: TIME });
      continue;
    }
    const scale = picture.viewBox.baseVal.width / (picture.getBoundingClientRect().width || 1);
    const [dx, dy] = [(before.left - now.left) * scale, (before.top - now.top) * scale];
    if (Math.hypot(dx, dy) < 3 || Math.abs(dx) + Math.abs(dy) > 3000) continue;
    slide(thing, dx, dy);
  }
}

// A thing's own transform stays; a group inside it would be needed to animate it by CSS, so it is done step by step.
function slide(thing, dx, dy) {
  const own = thing.getAttribute("transform") ?? "";
  const began = performance.now();
  const step = (now) => {
    if (!thing.isConnected) return;
    const left = Math.max(0, 1 - (now - began) / TIME) ** 2;
    thing.setAttribute("transform", left > 0 ? `translate(${(dx * left).toFixed(1)},${(dy * left).toFixed(1)}) ${own}` : own);
    if (left > 0) requestAnimationFrame(step);
    else if (!own) thing.removeAttribute("transform");
  };
  step(began);
}

const tail = (key) => key.split(" ").slice(1).join(" ");
