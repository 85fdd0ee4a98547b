"use strict";
// Links and forms work without this script; with it, pages are swapped in place, moves show on hover, and keys work.
(() => {
  const page = () => document.getElementById("page");
  const status = (words) => { document.getElementById("status").textContent = words; };
  let latest = 0;
  let timer = 0;
  let clicked = ""; // a place that was clicked on before the page of the click before it had come

  const here = (url) => new URL(url, location.href);
  const ours = (url) => url.origin === location.origin && !/^\/(static|picture|api)\//.test(url.pathname);

  async function visit(url, how, options = {}) {
    const turn = ++latest;
    clearTimeout(timer);
    if (how !== "again") page().classList.add("loading");
    let answer, text;
    try {
      answer = await fetch(url, options);
      text = await answer.text();
    } catch (error) {
      page().classList.remove("loading");
      clicked = "";
      status("The explorer does not answer. Is it still running?");
      return;
    }
    if (turn !== latest) return;
    const next = new DOMParser().parseFromString(text, "text/html");
    if (!next.getElementById("page")) { location.href = answer.url; return; }
    const opened = [...document.querySelectorAll("details[open] > summary")].map((s) => s.textContent);
    const typing = document.activeElement && document.activeElement.id;
    document.title = next.title;
    document.querySelector("header.bar").replaceWith(next.querySelector("header.bar"));
    page().replaceWith(next.getElementById("page"));
    if (how === "push") history.pushState({}, "", answer.url);
    if (how === "replace") history.replaceState({}, "", answer.url);
    for (const summary of document.querySelectorAll("details > summary")) {
      if (opened.includes(summary.textContent)) summary.parentElement.open = true;
    }
    if (how === "push" && scrollY > 300 && innerWidth < 860) scrollTo(0, 0);
    if (typing && how === "again") document.getElementById(typing)?.focus();
    if (how !== "again") status(document.title);
    ready();
    const place = clicked && document.querySelector(`a[data-place="${CSS.escape(clicked)}"]`);
    clicked = "";
    if (place) place.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }

  function ready() {
    const wait = Number(page().dataset.refresh || 0);
    if (wait) {
      timer = setTimeout(() => {
        const field = document.activeElement;
        if (field && field.matches("input") && field.value !== field.defaultValue) { ready(); return; }
        visit(location.href, "again");
      }, wait);
    }
  }

  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest("a[href]");
    if (!link || link.hasAttribute("download") || link.getAttribute("href").startsWith("#")) return;
    const url = here(link.getAttribute("href"));
    if (!ours(url)) return;
    event.preventDefault();
    if (link.dataset.place && page().classList.contains("loading")) { clicked = link.dataset.place; return; }
    visit(url, link.hasAttribute("data-replace") ? "replace" : "push");
  });

  // A place of the board that is being edited leads to its field.
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[data-place][href^="#"]');
    if (!link) return;
    event.preventDefault();
    document.getElementById(link.getAttribute("href").slice(1))?.select();
  });

  // Where pieces lie anywhere, a click on the board is a point of the picture.
  document.addEventListener("click", (event) => {
    const svg = event.target.closest("[data-aim] svg");
    if (!svg || event.button || event.defaultPrevented) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const url = here(svg.parentElement.dataset.aim);
    url.searchParams.set("spot.x", point.x.toFixed(2));
    url.searchParams.set("spot.y", point.y.toFixed(2));
    visit(url, "replace");
  });

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const url = here(form.getAttribute("action"));
    if (!ours(url)) return;
    event.preventDefault();
    const data = new URLSearchParams(new FormData(form, event.submitter));
    if (form.method === "get") { url.search = data; visit(url, "push"); return; }
    visit(url, "push", { method: "POST", body: data });
  });

  addEventListener("popstate", () => visit(location.href, "stay"));

  // A move is drawn on the board while the pointer or the keyboard is on it.
  const pictures = new Map();
  let kept = null;
  let wanted = "";
  async function draw(link) {
    const url = wanted = link.dataset.picture;
    if (!pictures.has(url)) {
      const answer = await fetch(url);
      if (!answer.ok) return;
      if (pictures.size > 200) pictures.clear();
      pictures.set(url, (await answer.text()).replace(/<style>.*?<\/style>/, ""));  // the page has its own
    }
    const board = document.getElementById("board");
    if (wanted !== url || !board) return;
    kept ??= board.querySelector("svg");
    const drawn = new DOMParser().parseFromString(pictures.get(url), "image/svg+xml").documentElement;
    board.querySelector("svg").replaceWith(document.importNode(drawn, true));
  }
  function restore() {
    wanted = "";
    const board = document.getElementById("board");
    if (kept && board) board.querySelector("svg").replaceWith(kept);
    kept = null;
  }
  let pause = 0;
  for (const [enter, leave] of [["mouseover", "mouseout"], ["focusin", "focusout"]]) {
    document.addEventListener(enter, (event) => {
      const link = event.target.closest("[data-picture]");
      if (link) { clearTimeout(pause); pause = setTimeout(() => draw(link), 60); }
    });
    document.addEventListener(leave, (event) => {
      if (event.target.closest("[data-picture]")) { clearTimeout(pause); restore(); }
    });
  }

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.target.matches("input, select, textarea")) return;
    const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (target) { event.preventDefault(); target.click(); }
    else if (event.key === "ArrowRight") history.forward();
  });

  ready();
})();
