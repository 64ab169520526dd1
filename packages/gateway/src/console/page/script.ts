/**
 * What the page does in a browser: while it is visible, it requests itself again at regular intervals and updates what has
 * changed, element by element. So the focus, the selection and the scroll position stay. Text is inserted as text. A form
 * that somebody is filling in is left alone, and opened details stay open. On pages of what has ended, it only shows times
 * and copies commands.
 */
export const SCRIPT = `"use strict";
(() => {
  const every = 3000;
  const freshness = document.getElementById("freshness");
  let tag = "";
  let timer = 0;
  let answered = Date.now();

  function renew(old, fresh) {
    if (old.nodeType !== fresh.nodeType || old.nodeName !== fresh.nodeName || old.id !== fresh.id) {
      old.replaceWith(fresh);
      return;
    }
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
      return;
    }
    if (old.localName === "form" && old.contains(document.activeElement)) return;
    for (const { name } of [...old.attributes]) {
      if (!fresh.hasAttribute(name) && !(name === "open" && old.localName === "details")) old.removeAttribute(name);
    }
    for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    renewChildren(old, [...fresh.childNodes]);
  }

  function renewChildren(parent, wanted) {
    const byId = new Map();
    for (const child of parent.children) if (child.id !== "") byId.set(child.id, child);
    wanted.forEach((fresh, index) => {
      const here = parent.childNodes[index];
      const known = fresh.id ? byId.get(fresh.id) : undefined;
      if (known !== undefined) {
        if (known !== here) parent.insertBefore(known, here ?? null);
        renew(known, fresh);
      } else if (here === undefined || here.id) {
        parent.insertBefore(fresh, here ?? null);
      } else {
        renew(here, fresh);
      }
    });
    while (parent.childNodes.length > wanted.length) parent.lastChild.remove();
  }

  function ageOf(time) {
    const seconds = Math.max(0, Math.floor((Date.now() - Date.parse(time.dateTime)) / 1000));
    if (seconds < 120) return seconds + " s ago";
    if (seconds < 7200) return Math.floor(seconds / 60) + " min ago";
    return seconds < 172800 ? Math.floor(seconds / 3600) + " h ago" : Math.floor(seconds / 86400) + " days ago";
  }

  function clockOf(time) {
    return new Date(time.dateTime).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  }

  function exactOf(time) {
    return new Date(time.dateTime).toLocaleString([], { dateStyle: "medium", timeStyle: "medium" });
  }

  function showTimes() {
    for (const time of document.querySelectorAll("time")) {
      const kind = time.classList;
      const text = kind.contains("clock") ? clockOf(time) : kind.contains("exact") ? exactOf(time) : ageOf(time);
      if (time.textContent !== text) time.textContent = text;
    }
  }

  // Where a page has no clipboard, because it is neither of this machine nor over TLS, the command is selected instead.
  async function copy(button) {
    const code = button.parentElement.querySelector("code");
    getSelection().selectAllChildren(code);
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = document.execCommand("copy") ? "Copied" : "Selected";
    }
  }

  function tell(text, isStale) {
    if (freshness.textContent !== text) freshness.textContent = text;
    freshness.className = isStale ? "stale" : "quiet";
  }

  async function refresh() {
    try {
      const headers = tag === "" ? {} : { "if-none-match": tag };
      const response = await fetch(location.href, { headers, cache: "no-store", signal: AbortSignal.timeout(10000) });
      if (response.status === 200) {
        const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
        tag = response.headers.get("etag") ?? "";
        document.title = fresh.title;
        renew(document.querySelector("main"), fresh.querySelector("main"));
      } else if (response.status === 401) {
        location.reload();
      } else if (response.status !== 304) {
        throw new Error(String(response.status));
      }
      answered = Date.now();
      tell("live", false);
    } catch {
      tell("The gateway has not answered since " + new Date(answered).toLocaleTimeString() + ".", true);
    }
    showTimes();
  }

  async function go() {
    clearTimeout(timer);
    if (document.hidden) return;
    await refresh();
    clearTimeout(timer);
    timer = setTimeout(go, every);
  }

  document.documentElement.classList.add("scripted");
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.matches("button.copy")) void copy(target);
  });
  // What has ended does not change: only the page of what runs now is refreshed.
  if (freshness === null) {
    showTimes();
    setInterval(showTimes, 20 * every);
  } else {
    document.addEventListener("visibilitychange", go);
    void go();
  }
})();
`;
