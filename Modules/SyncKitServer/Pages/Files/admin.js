// Takes the code out of the address, where no server sees it, and sends it in the form of the page.
"use strict";

function enter() {
  const code = location.hash.slice(1);
  if (!/^[0-9A-Za-z-]{8,64}$/.test(code)) return;
  // Going back must not send it again.
  history.replaceState(null, "", location.pathname);
  document.getElementById("code").value = code;
  document.getElementById("entry").submit();
}

addEventListener("hashchange", enter);
enter();
