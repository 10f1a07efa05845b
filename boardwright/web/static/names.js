// Names of people in a picture, in place of "seat 1": as many of their letters as there is room for.

const LONGEST = 14; // letters that pictures usually have room for
const SHORTEST = 4;
const fitting = new Map(); // letters that fitted, by what is written where: pictures of a game are much alike

// `rename(text, longest)`: the text with names of at most so many letters. The picture is on the page.
export function nameSeats(picture, rename) {
  for (const text of picture.querySelectorAll("text, tspan")) {
    if (text.firstElementChild || !/\bseat \d/i.test(text.textContent)) continue;
    const whole = text.closest("text");
    const written = text.textContent;
    const key = [picture.viewBox.baseVal.width, whole.textContent, rename(written, LONGEST), whole.getAttribute("x"), whole.getAttribute("y")].join();
    let letters = fitting.get(key);
    if (!letters) {
      const before = touched(whole);
      for (letters = LONGEST; letters > SHORTEST; letters -= 1) {
        text.textContent = rename(written, letters);
        if (isInside(whole, picture) && touched(whole).every((other) => before.includes(other))) break;
      }
      fitting.set(key, letters);
    }
    text.textContent = rename(written, letters);
  }
}

function isInside(text, picture) {
  const [own, all] = [text.getBoundingClientRect(), picture.getBoundingClientRect()];
  return own.left >= all.left && own.right <= all.right;
}

// What a text lies upon, or runs into.
function touched(text) {
  const own = text.getBBox();
  return [...text.parentNode.children].filter((other) => {
    if (other === text || !other.getBBox) return false;
    const box = other.getBBox();
    return box.x < own.x + own.width && own.x < box.x + box.width && box.y < own.y + own.height && own.y < box.y + box.height;
  });
}
