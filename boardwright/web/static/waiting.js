// Before the game: seats that anybody may take, who is ready, and agents for the seats that stay empty.

import { get, tableLink } from "./api.js";
import { copyText, dot, h, refill } from "./dom.js";

export class WaitingRoom {
  constructor(element, send) {
    this.element = element;
    this.send = send;
    /** @type {string | undefined} */
    this.address = undefined; // the server's own in the network
  }

  show(table) {
    const away = table.seats.map((seat, number) => number).filter((number) => table.seats[number].person && !table.seats[number].here && number !== table.you);
    const running = table.status === "running";
    const before = running && table.waiting_for.length > 0;
    const now = JSON.stringify([before, running, table.seats, table.waiting_for, table.seat, away]);
    if (this.now === now) return;
    this.now = now;
    this.element.classList.toggle("hidden", !before);
    if (!before) return;
    if (this.address === undefined) {
      this.address = "";
      get("/api/server").then(({ address }) => {
        this.address = address;
        for (const link of this.element.querySelectorAll("#table-link")) link.value = tableLink(table.id, address);
      }, () => null);
    }
    const name = h("input", { type: "text", maxLength: 40, id: "my-name", placeholder: "your name", ariaLabel: "your name", value: localStorage.getItem("name") ?? "" });
    const link = h("input", { type: "text", readOnly: true, id: "table-link", value: tableLink(table.id, this.address), ariaLabel: "the table's address" });
    refill(
      this.element,
      h("h2", {}, "Before the game"),
      table.seats.some((seat) => seat.open)
        ? h("div", { className: "row" }, h("span", {}, "Anybody with this address may take an open seat:"), link, h("button", { onclick: () => copyText(link) }, "Copy"))
        : null,
      h(
        "ul",
        { className: "list" },
        table.seats.map((seat, number) =>
          h(
            "li",
            { className: "row" },
            h("span", {}, dot(number), seat.open ? `${seat.role}: open` : seat.name),
            seat.open && table.seat < 0 ? [name, h("button", { className: "main", id: `sit-${number}`, onclick: () => this.sit(number, name.value) }, "Sit here")] : null,
            seat.open && table.seat >= 0 ? h("button", { id: `fill-${number}`, onclick: () => this.send({ type: "fill", seat: number, agent: "easy" }) }, "An agent instead") : null,
            !seat.open && seat.person ? h("span", { className: "faint" }, table.waiting_for.includes(number) ? "not ready yet" : "ready") : null,
          ),
        ),
      ),
      table.seat >= 0 && table.waiting_for.includes(table.seat) ? h("button", { className: "main", id: "ready", onclick: () => this.send({ type: "ready" }) }, "I am ready") : null,
    );
  }

  sit(seat, name) {
    localStorage.setItem("name", name.trim());
    this.send({ type: "sit", seat, name: name.trim() });
  }
}
