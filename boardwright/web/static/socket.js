// The connection to a table. When it is lost it is made again, and the server says where the game stands.

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;

export class TableSocket {
  constructor(table, token, handlers) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/${table}`;
    this.token = token;
    this.handlers = handlers;
    this.wait = FIRST_WAIT;
    this.over = false;
    this.connect();
  }

  connect() {
    this.socket = new WebSocket(this.address);
    this.socket.onopen = () => {
      this.send({ type: "join", token: this.token, chances: true });
    };
    this.socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "table") {
        this.wait = FIRST_WAIT;
        this.handlers.connected(true);
      }
      if (message.final) this.over = true;
      this.handlers[message.type]?.(message);
    };
    this.socket.onclose = () => {
      this.handlers.connected(this.over);
      if (this.over) return;
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(LONGEST_WAIT, this.wait * 1.6);
    };
  }

  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
