// Makes the pages more comfortable; each of them works without it.
"use strict";

// A form that takes a while says so, and is not sent twice.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.progress) return;
  const button = form.querySelector("button");
  button.textContent = form.dataset.progress;
  // After the form has been read.
  setTimeout(() => { button.disabled = true; });
});

// Whoever has no script prints with the menu of the browser, as the page says.
for (const button of document.querySelectorAll("button[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// The content of an element of another page of ours; null where it has none.
async function content(address, selector) {
  const answer = await fetch(address);
  if (!answer.ok) return null;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.querySelector(selector)?.childNodes ?? null;
}

// What takes long to make comes when the rest of the page is there. Without it, the link leads there.
for (const place of document.querySelectorAll("[data-later]")) {
  place.setAttribute("aria-busy", "true");
  content(place.dataset.later, "[data-part]").then((found) => {
    if (found) place.replaceChildren(...found);
  }).catch(() => {}).finally(() => place.removeAttribute("aria-busy"));
}

// Refresh the overview whenever something has changed, unless a control in it has the focus.
const overview = document.querySelector("[data-live]");
if (overview) {
  const news = new EventSource(document.body.dataset.base + "news");
  news.addEventListener("change", async () => {
    const fresh = await content(location.href, "[data-live]");
    if (fresh && !overview.contains(document.activeElement)) overview.replaceChildren(...fresh);
  });
}

// A file can be dropped on its form.
for (const zone of document.querySelectorAll(".drop")) {
  const field = zone.querySelector("input[type=file]");
  const over = (event, isOver) => {
    event.preventDefault();
    zone.classList.toggle("over", isOver);
  };
  zone.addEventListener("dragover", (event) => over(event, true));
  zone.addEventListener("dragleave", (event) => over(event, false));
  zone.addEventListener("drop", (event) => {
    over(event, false);
    if (event.dataTransfer.files.length !== 1) return;
    field.files = event.dataTransfer.files;
    field.form.requestSubmit();
  });
}
