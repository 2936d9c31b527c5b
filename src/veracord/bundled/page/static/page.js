// Keys, focus and speech. The page does everything without this file; it only makes it quicker.
(() => {
  "use strict";
  const root = document.documentElement;
  root.classList.add("scripted");
  const live = document.getElementById("live");
  const problem = document.getElementById("problem");
  const NOT_DONE = "This did not work, and nothing was changed. Try again, or load the page anew.";

  const SIGNED_OUT = "You are signed out, and nothing was changed. Copy your text, and sign in again.";

  const say = (text) => {
    if (!live || !text) return;
    live.textContent = "";
    // A region that is set to what it said already would stay silent.
    window.setTimeout(() => { live.textContent = text; }, 50);
  };
  const rows = () => [...document.querySelectorAll("[data-row]")];
  const current = () => document.activeElement?.closest?.("[data-row]") ?? null;

  const move = (step) => {
    const all = rows();
    if (!all.length) return;
    const at = all.indexOf(current());
    const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + step, 0), all.length - 1);
    all[next].focus();
    all[next].scrollIntoView({ block: "nearest" });
  };

  // Opens the form of an act, and never sends one.
  const open = (act) => {
    const row = current() ?? (rows().length === 1 ? rows()[0] : null);
    if (!row) return;
    const details = row.querySelector(`details[data-act="${act}"]`);
    if (details) {
      details.open = true;
      details.querySelector("[data-first]")?.focus();
    } else if (row.dataset.card) {
      const address = new URL(row.dataset.card, location.href);
      address.searchParams.set("act", act);
      window.htmx?.ajax("GET", address.pathname + address.search, { target: row, swap: "outerHTML" });
    }
  };

  const isTyping = (target) => target.closest?.("input, select, textarea, [contenteditable]") !== null;
  const ACTS = { a: "accept", r: "reject", e: "edit", u: "undo" };

  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.ctrlKey && event.target.form) {
      event.preventDefault();
      event.target.form.requestSubmit();
      return;
    }
    if (event.key === "Escape") {
      const details = event.target.closest?.("details[data-act][open]");
      if (details) {
        details.open = false;
        details.querySelector("summary").focus();
      }
      return;
    }
    if (root.dataset.keys === "off" || event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
    if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "?") location.assign("/help#keys");
    else if (ACTS[event.key]) open(ACTS[event.key]);
    else return;
    event.preventDefault();
  });

  // An act that is opened by hand takes the person to its first field, too.
  document.addEventListener("toggle", (event) => {
    const details = event.target;
    if (details.matches?.("details[data-act]") && details.open && details.contains(document.activeElement)) {
      details.querySelector("[data-first]")?.focus();
    }
  }, true);

  document.addEventListener("htmx:load", (event) => {
    const fresh = event.detail.elt;
    const isRow = fresh.matches?.("[data-row]");
    if (!isRow && fresh.id !== "main") return;
    problem.textContent = "";
    const first = "details[data-act][open] [data-first]";
    const wanted = fresh.querySelector("[data-focus]") ?? fresh.querySelector(first) ?? fresh;
    wanted.focus();
    say((wanted.closest("[data-say]") ?? fresh).dataset.say);
  });
  const fail = (event) => {
    problem.textContent = event.detail?.xhr?.status === 401 ? SIGNED_OUT : NOT_DONE;
  };
  document.addEventListener("htmx:responseError", fail);
  document.addEventListener("htmx:sendError", fail);

  // After a page was loaded: what is to be corrected, or was done, is where the person goes on.
  const start = document.querySelector("main [data-focus]") ?? document.querySelector("details[data-act][open] [data-first]");
  if (start) {
    start.focus();
    say(start.closest("[data-say]")?.dataset.say);
  }
})();
