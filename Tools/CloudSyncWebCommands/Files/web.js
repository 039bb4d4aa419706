// Makes the pages more comfortable; each of them works without it.
"use strict";

// A form that takes a while says so, and is not sent twice.
for (const form of document.querySelectorAll("form[data-progress]")) {
  form.addEventListener("submit", () => {
    const button = form.querySelector("button");
    button.textContent = form.dataset.progress;
    // After the form has been read.
    setTimeout(() => { button.disabled = true; });
  });
}

// Whoever has no script prints with the menu of the browser, as the page says.
for (const button of document.querySelectorAll("button[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// The overview is shown anew whenever something has changed, unless somebody is using a control of it.
const overview = document.querySelector("[data-live]");
if (overview) {
  const news = new EventSource(document.body.dataset.base + "news");
  news.addEventListener("change", async () => {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-live]");
    if (fresh && !overview.contains(document.activeElement)) overview.replaceChildren(...fresh.childNodes);
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
