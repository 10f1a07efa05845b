// The room that pictures have: told to the server when the page is opened, turned or made wider, and when somebody opens
// or folds up what another seat has.

const SOON = 150; // milliseconds without a further change

export class Room {
  // `changed()` is called when the picture should be drawn anew.
  constructor(element, changed) {
    this.element = element;
    this.toggled = new Set();
    this.changed = changed;
    this.last = this.width();
    let timer;
    new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (Math.abs(this.width() - this.last) < 2) return;
        this.last = this.width();
        changed();
      }, SOON);
    }).observe(element);
    for (const kind of ["click", "keydown"]) {
      element.addEventListener(kind, (event) => {
        const line = event.target.closest?.("[data-fold]");
        if (!line || (kind === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
        event.preventDefault();
        const seat = Number(line.dataset.fold);
        if (!this.toggled.delete(seat)) this.toggled.add(seat);
        changed();
      });
    }
  }

  width() {
    return Math.max(200, this.element.clientWidth);
  }

  // For requests and messages.
  get now() {
    return { width: this.width(), touch: matchMedia("(pointer: coarse)").matches, toggled: [...this.toggled] };
  }
}
