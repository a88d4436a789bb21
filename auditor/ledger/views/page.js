"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  const form = document.querySelector(".filters");
  const search = form.elements.q;
  const chips = [...form.querySelectorAll(".chip")];
  const cards = [...document.querySelectorAll(".fence")];
  const chapters = [...document.querySelectorAll(".chapter")];
  const shownCount = form.querySelector(".shown");
  const nothing = document.querySelector(".nothing");
  const help = document.querySelector("dialog");
  const facts = cards.map((card) => ({
    card, v: card.dataset.v ?? "compiles", l: (card.dataset.l ?? "unlinked").split(" "), f: card.dataset.f ?? "0",
    r: card.dataset.r ?? "", text: null,
  }));
  let state = { v: new Set(), l: new Set(), f: new Set(), r: new Set(), q: "", at: "" };

  // The text of a card is wanted only once somebody searches.
  const textOf = (fact) => (fact.text ??= fact.card.textContent.toLowerCase());

  function matches(fact, words) {
    for (const key of ["v", "f", "r"]) if (state[key].size && !state[key].has(fact[key])) return false;
    if (state.l.size && !fact.l.some((name) => state.l.has(name))) return false;
    return words.every((word) => textOf(fact).includes(word));
  }

  function apply() {
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const fact of facts) {
      const visible = matches(fact, words);
      fact.card.hidden = !visible;
      shown += visible;
    }
    for (const chapter of chapters) chapter.hidden = !chapter.querySelector(".fence:not([hidden])");
    for (const chip of chips) chip.setAttribute("aria-pressed", String(state[chip.dataset.k].has(chip.dataset.o)));
    if (search.value !== state.q) search.value = state.q;
    shownCount.textContent = String(shown);
    nothing.hidden = shown > 0 || !facts.length;
  }

  const filtered = () => state.q || state.v.size || state.l.size || state.f.size || state.r.size;

  function hash() {
    if (!filtered()) return state.at;
    const parts = [];
    for (const key of ["v", "l", "f", "r"]) if (state[key].size) parts.push(`${key}=${[...state[key]].join(",")}`);
    if (state.q) parts.push(`q=${encodeURIComponent(state.q)}`);
    if (state.at) parts.push(`at=${encodeURIComponent(state.at)}`);
    return parts.join("&");
  }

  function remember() {
    const now = hash();
    history.replaceState(null, "", now ? `#${now}` : location.pathname + location.search);
  }

  function decoded(text) {
    try { return decodeURIComponent(text); } catch { return text; }
  }

  function read() {
    const text = location.hash.slice(1);
    if (!text.includes("=")) {
      if (text) go(document.getElementById(decoded(text)), false);
      return;
    }
    const next = { v: new Set(), l: new Set(), f: new Set(), r: new Set(), q: "", at: "" };
    for (const part of text.split("&")) {
      const at = part.indexOf("=");
      const key = part.slice(0, at), value = decoded(part.slice(at + 1));
      if (key === "q" || key === "at") next[key] = value;
      else if (next[key] instanceof Set) for (const name of value.split(",")) if (name) next[key].add(name);
    }
    state = next;
    apply();
    if (state.at) go(document.getElementById(state.at), false);
  }

  function clear() {
    state = { v: new Set(), l: new Set(), f: new Set(), r: new Set(), q: "", at: state.at };
    apply();
    remember();
  }

  function go(target, focus = true) {
    if (!target) return;
    if (target.closest("[hidden]")) clear();
    state.at = target.id;
    if (focus) target.focus({ preventScroll: true });
    target.scrollIntoView();
    // What was only estimated above the target has its true height by now.
    requestAnimationFrame(() => target.scrollIntoView());
    remember();
  }

  // The one of a list that is at or just above the top of the window.
  function current(list) {
    const line = 140;
    let found = -1;
    for (let at = 0; at < list.length; at += 1) {
      if (list[at].getBoundingClientRect().top <= line) found = at; else break;
    }
    return found;
  }

  function step(list, by) {
    const visible = list.filter((item) => !item.hidden);
    const held = visible.indexOf(document.activeElement.closest?.(list === chapters ? ".chapter" : ".fence"));
    const at = held >= 0 ? held : current(visible);
    go(visible[Math.min(Math.max(at + by, 0), visible.length - 1)]);
  }

  search.addEventListener("input", () => { state.q = search.value; apply(); remember(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => { event.preventDefault(); clear(); });
  form.addEventListener("click", (event) => {
    const chip = event.target.closest(".chip");
    if (!chip) return;
    const chosen = state[chip.dataset.k];
    if (!chosen.delete(chip.dataset.o)) chosen.add(chip.dataset.o);
    apply();
    remember();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const target = document.getElementById(decoded(link.hash.slice(1)));
    if (!target) return;
    event.preventDefault();
    go(target);
  });
  document.querySelector(".help").addEventListener("click", () => help.showModal());
  document.querySelector(".theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  document.addEventListener("keydown", (event) => {
    if (event.metaKey || event.ctrlKey || event.altKey || help.open) return;
    if (event.key === "Escape") {
      if (document.activeElement === search) search.blur();
      if (state.q) { state.q = ""; apply(); remember(); }
      return;
    }
    if (event.target.matches("input, textarea, select")) return;
    const act = {
      "/": () => search.focus(), "?": () => help.showModal(),
      j: () => step(cards, 1), k: () => step(cards, -1), "]": () => step(chapters, 1), "[": () => step(chapters, -1),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  window.addEventListener("hashchange", read);

  // A narrow screen begins with the list of pages folded.
  if (matchMedia("(max-width: 900px)").matches) document.querySelector(".side details").open = false;

  // Numbers beside the code, and a way to scroll it by keys, once it comes near the window.
  function number(block) {
    if (block.parentNode.className === "code") return;
    const first = Number(block.dataset.n);
    const count = block.textContent.split("\n").length;
    const box = document.createElement("div");
    const gutter = document.createElement("pre");
    box.className = "code";
    gutter.className = "n";
    gutter.ariaHidden = "true";
    gutter.textContent = Array.from({ length: count }, (_, at) => first + at).join("\n");
    block.replaceWith(box);
    box.append(gutter, block);
  }

  let paint = () => {};
  let wipe = () => {};
  // Colours for code near the window only, laid over the text without touching it.
  if (window.CSS?.highlights && window.Highlight) {
    const kinds = ["k", "s", "c", "d", "f"];
    const layers = kinds.map((kind) => { const layer = new Highlight(); CSS.highlights.set(kind, layer); return layer; });
    const token = new RegExp([
      "(#[^\\n]*)",
      "((?:\\b[rbfut]{1,2})?(?:\"\"\"[^]*?(?:\"\"\"|$)|'''[^]*?(?:'''|$)|\"(?:\\\\.|[^\"\\\\\\n])*\"?|'(?:\\\\.|[^'\\\\\\n])*'?))",
      "\\b(?:def|class)\\s+([^\\W\\d]\\w*)",
      "\\b(False|None|True|and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|match|case|nonlocal|not|or|pass|raise|return|try|while|with|yield)\\b",
      "\\b(\\d[\\w.]*)",
    ].join("|"), "giu");
    const painted = new Map();
    paint = (block) => {
      const node = block.firstChild;
      if (!node || painted.has(block)) return;
      const ranges = [];
      const add = (layer, start, end) => {
        const range = new StaticRange({ startContainer: node, startOffset: start, endContainer: node, endOffset: end });
        layers[layer].add(range);
        ranges.push([layer, range]);
      };
      for (const found of node.data.matchAll(token)) {
        const start = found.index, end = start + found[0].length;
        if (found[1]) add(2, start, end);
        else if (found[2]) add(1, start, end);
        else if (found[3]) { add(0, start, start + found[0].search(/\s/)); add(4, end - found[3].length, end); }
        else if (found[4]) add(0, start, end);
        else add(3, start, end);
      }
      painted.set(block, ranges);
    };
    wipe = (block) => {
      for (const [layer, range] of painted.get(block) ?? []) layers[layer].delete(range);
      painted.delete(block);
    };
  }

  for (const block of document.querySelectorAll("pre")) block.tabIndex = 0;
  const watcher = new IntersectionObserver((seen) => {
    for (const item of seen) {
      for (const block of item.target.querySelectorAll("pre[data-n]")) {
        if (item.isIntersecting) { number(block); paint(block); } else wipe(block);
      }
    }
  }, { rootMargin: "600px" });
  for (const holder of document.querySelectorAll(".fence, #_uncovered li")) {
    if (holder.matches(".fence")) holder.tabIndex = -1;
    watcher.observe(holder);
  }

  read();
})();
