// A sound when it is one's turn: off until somebody wants it, and remembered.

import { h } from "./dom.js";

const KEY = "sound";

export const soundOn = () => localStorage.getItem(KEY) === "on";

export function soundButton() {
  const button = h("button", { id: "sound", onclick: toggle });
  const show = () => {
    button.textContent = "♪";
    button.classList.toggle("off", !soundOn());
    button.setAttribute("aria-label", "A sound when it is your turn");
    button.setAttribute("aria-pressed", soundOn());
    button.title = soundOn() ? "A sound when it is your turn: on" : "A sound when it is your turn: off";
  };
  function toggle() {
    localStorage.setItem(KEY, soundOn() ? "off" : "on");
    show();
    ring();
  }
  show();
  return button;
}

let context = null;

export function ring() {
  if (!soundOn() || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  const now = context.currentTime;
  for (const [place, pitch] of [660, 880].entries()) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, now + 0.12 * place);
    volume.gain.exponentialRampToValueAtTime(0.12, now + 0.12 * place + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, now + 0.12 * place + 0.25);
    tone.connect(volume).connect(context.destination);
    tone.start(now + 0.12 * place);
    tone.stop(now + 0.12 * place + 0.3);
  }
}
