// Puts the address of the page, with the secret that no server sees, into the command that a person copies.
"use strict";

const main = document.querySelector("main[data-command]");
const command = document.getElementById("command");
const broken = document.getElementById("broken");
const steps = document.getElementById("steps");
const copy = document.getElementById("copy");
const copied = document.getElementById("copied");
const camera = document.getElementById("camera");
const picture = document.getElementById("qr");

// A link may come from anyone. What could end the quotes or hide a second command is not shown as one to paste.
const plain = /^https?:\/\/[A-Za-z0-9.\-:[\]]+\/[A-Za-z0-9._~\/-]*#[A-Za-z0-9._~&=:-]{4,400}$/;

function show() {
  const link = location.origin + location.pathname + location.hash;
  const isWhole = plain.test(link);
  broken.hidden = isWhole;
  steps.hidden = !isWhole;
  copied.textContent = "";
  camera.hidden = true;
  if (!isWhole) return;
  command.firstElementChild.textContent = `${main.dataset.command} '${link}'`;
  document.getElementById("by-hand").hidden = true;
  // Browsers lend the clipboard to pages that came encrypted, or from this machine.
  copy.hidden = !navigator.clipboard;
  draw(qrFields(link));
}

// Draws a QR code, with the light margin that cameras need.
function draw(fields) {
  if (!fields) return;
  const margin = 4;
  const side = fields.length + 2 * margin;
  const [ground, dark] = picture.children;
  picture.setAttribute("viewBox", `0 0 ${side} ${side}`);
  ground.setAttribute("width", side);
  ground.setAttribute("height", side);
  const path = fields.flatMap((row, y) =>
    row.map((isDark, x) => isDark ? `M${x + margin} ${y + margin}h1v1h-1z` : ""));
  dark.setAttribute("d", path.join(""));
  camera.hidden = false;
}

copy.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(command.textContent);
    copied.textContent = copied.dataset.text;
  } catch {
    getSelection().selectAllChildren(command);
  }
});
addEventListener("hashchange", show);
show();
