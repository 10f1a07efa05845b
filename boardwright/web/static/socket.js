// The connection to a table. When it is lost it is made again, and the server says where the game stands.

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

/** @typedef {import("./messages").FromPage} FromPage */
/** @typedef {import("./messages").ToPage} ToPage */
/** @typedef {{ [K in ToPage["type"]]?: (message: Extract<ToPage, { type: K }>) => void } & { connected: (on: boolean) => void }} Handlers */

export class TableSocket {
  /** @type {WebSocket | undefined} */
  socket;

  /**
   * @param {string} table
   * @param {string | null} token
   * @param {() => object} room what the page says of itself when it joins
   * @param {Handlers} handlers
   */
  constructor(table, token, room, handlers) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/${table}`;
    this.token = token;
    this.room = room;
    this.handlers = handlers;
    this.wait = FIRST_WAIT;
    this.over = false;
    this.lost = true; // until the server has sent a table
    this.connect();
    addEventListener("offline", () => this.drop());
  }

  connect() {
    this.socket = new WebSocket(this.address);
    this.socket.onopen = () => {
      this.send({ type: "join", token: this.token, chances: true, patches: true, ...this.room() });
    };
    this.socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "table") {
        this.wait = FIRST_WAIT;
        this.lost = false;
        this.handlers.connected(true);
      }
      if (message.final) this.over = true;
      this.handlers[message.type]?.(message);
    };
    this.socket.onclose = () => this.closed();
  }

  closed() {
    this.lost = !this.over;
    this.handlers.connected(this.over);
    if (this.over) return;
    setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, this.wait * 1.6);
  }

  // The network has gone: a socket would notice after minutes, and take moves until then.
  drop() {
    if (!this.socket || this.socket.readyState > WebSocket.OPEN) return;
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket.close();
    this.closed();
  }

  /** @param {FromPage} message */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
