"use strict";
// Texts go into the page as text only (textContent, createTextNode): a query can't become markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const marks = { right: "=", lucky: "≈", wrong: "≠", failed: "×", "no verdict": "?" };
  const pick = (id) => document.getElementById(id);
  const PAGE = 300;

  function make(tag, properties, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties || {})) {
      if (name === "class") element.className = value;
      else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value);
    }
    for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
    return element;
  }
  const words = (name) => String(name).replaceAll("_", " ");
  const badge = (status) =>
    make("span", { class: "mark status-" + status.replace(" ", "-"), "aria-hidden": "true" }, marks[status]);

  // ---- choices of the filters, from what items have
  function options(id, values) {
    for (const value of values) pick(id).append(make("option", { value }, words(value)));
  }
  const unique = (values) => [...new Set(values)];
  const LEVELS = ["easy", "medium", "hard", "extra", "simple", "moderate", "challenging"];
  options("hardness", unique(data.items.map((i) => i.hardness).filter(Boolean))
    .sort((a, b) => LEVELS.indexOf(a) - LEVELS.indexOf(b)));
  options("component", unique(data.items.flatMap((i) => i.components || [])).sort());
  options("cause", unique(data.items.flatMap((i) => i.runs.flatMap((r) => r.causes || []))).sort());
  pick("cause-label").hidden = pick("cause").options.length < 2;
  for (const item of data.items) {
    item.text = [item.id, item.db, ...(item.golds || []), ...item.runs.flatMap((r) =>
      [r.prediction || "", r.message || "", r.fate, ...(r.flags || []), ...(r.causes || [])])].join("\n").toLowerCase();
  }

  // ---- the list
  const body = pick("table").tBodies[0];
  let shown = [], drawn = 0, current = null;
  const run = () => (pick("run") ? Number(pick("run").value) : 0);

  function matches() {
    const search = pick("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const [status, db, hardness, component, cause] =
      ["status", "database", "hardness", "component", "cause"].map((id) => pick(id).value);
    return data.items.filter((item) => {
      const own = item.runs[run()];
      return (!status || (status === "~" ? unique(item.runs.map((r) => r.status === "right")).length > 1
        : own.status === status))
        && (!db || item.db === db) && (!hardness || item.hardness === hardness)
        && (!component || (item.components || []).includes(component))
        && (!cause || (own.causes || []).includes(cause))
        && search.every((word) => item.text.includes(word));
    });
  }
  function row(item) {
    const open = make("button", { class: "link", type: "button", "aria-label": "item " + item.id }, item.id);
    const cells = item.runs.map((r) => make("td", { class: "word" }, badge(r.status), " ",
      make("span", { class: data.runs.length > 1 ? "unseen" : "" }, r.status)));
    return make("tr", { "data-id": item.id, onclick: () => show(item, open) }, make("td", {}, open), cells,
      make("td", {}, item.db), make("td", { class: "hard" }, item.hardness || ""),
      make("td", { class: "query" }, (item.golds || [""])[0]));
  }
  function more() {
    const part = document.createDocumentFragment();
    for (const item of shown.slice(drawn, drawn + PAGE)) part.append(row(item));
    body.append(part);
    drawn = Math.min(shown.length, drawn + PAGE);
    pick("more").hidden = drawn >= shown.length;
    pick("more").textContent = `Show more (${shown.length - drawn} left)`;
  }
  function filter() {
    shown = matches();
    drawn = 0;
    body.replaceChildren();
    more();
    pick("count").textContent = `${shown.length} of ${data.items.length} items`;
    highlight();
  }
  function highlight() {
    for (const line of body.rows) line.classList.toggle("current", current !== null && line.dataset.id === current.id);
  }

  // ---- queries, with keywords and what differs marked
  const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\d+(?:\.\d+)?|\w+|[<>!=]=|<>|\|\||\s+|[^]/gu;
  const KEYWORDS = new Set(("select from where group by having order limit offset join left right full inner outer cross " +
    "natural on using as and or not in exists between like is null distinct union intersect except all case when then " +
    "else end asc desc with count sum avg min max create table insert into values primary key foreign references unique " +
    "integer text real").split(" "));
  const tokens = (sql) => sql.match(TOKEN) || [];
  const blank = (token) => /^\s+$/.test(token);
  // Positions of tokens of `a` that are in no longest common subsequence with `b`; nothing for very long queries.
  function differing(a, b) {
    const places = a.map((t, i) => i).filter((i) => !blank(a[i]));
    const one = places.map((i) => a[i].toLowerCase()), other = b.filter((t) => !blank(t)).map((t) => t.toLowerCase());
    const found = new Set();
    if (one.length * other.length > 250000) return found;
    const best = Array.from({ length: one.length + 1 }, () => new Uint16Array(other.length + 1));
    for (let i = one.length - 1; i >= 0; i--) for (let j = other.length - 1; j >= 0; j--)
      best[i][j] = one[i] === other[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    for (let i = 0, j = 0; i < one.length;) {
      if (j < other.length && one[i] === other[j]) { i++; j++; }
      else if (j < other.length && best[i][j + 1] >= best[i + 1][j]) j++;
      else found.add(places[i++]);
    }
    return found;
  }
  function query(sql, against) {
    const parts = tokens(sql), found = against === undefined ? new Set() : differing(parts, tokens(against));
    return make("pre", {}, make("code", {}, parts.map((token, i) => {
      const kind = /^['"`]/.test(token) ? "q" : KEYWORDS.has(token.toLowerCase()) ? "k" : "";
      return found.has(i) ? make("mark", kind ? { class: kind } : {}, token)
        : kind ? make("span", { class: kind }, token) : token;
    })));
  }

  // ---- the detail pane
  function cell(value) {
    return value === null ? make("td", { class: "null" }, "NULL") : make("td", {}, String(value));
  }
  function answer(title, found) {
    if (found.error) return make("div", {}, make("h4", {}, title), make("p", { class: "muted" }, found.error));
    const rows = found.rows.slice(0, 20);
    return make("div", {}, make("h4", {}, `${title}, ${found.rows.length} row${found.rows.length === 1 ? "" : "s"}`),
      make("div", { class: "scroll" }, make("table", {},
        make("thead", {}, make("tr", {}, found.columns.map((name) => make("th", { scope: "col" }, name)))),
        make("tbody", {}, rows.map((values) => make("tr", {}, values.map(cell)))))),
      found.rows.length > rows.length ? make("p", { class: "muted small" }, "and more") : null);
  }
  function copy(text) {
    const button = make("button", { class: "tool", type: "button", onclick: () => {
      const done = () => { button.textContent = "Copied"; };
      if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => { button.textContent = "Select and copy it"; });
      else button.textContent = "Select and copy it";
    } }, "Copy the script");
    return button;
  }
  function explanation(explained) {
    const parts = [];
    const causes = explained.causes, repair = causes.length ? causes[0].repair : null;
    if (causes.length) {
      const names = causes.map((cause) => words(cause.name)).join(", ");
      const confirmed = causes.every((cause) => cause.confirmed)
        ? `confirmed: the suite accepts the prediction with ${causes.length > 1 ? "these repairs" : "this repair"}` : "not confirmed";
      parts.push(make("h4", {}, `${causes.length > 1 ? "Causes" : "Cause"}: ${names} (${confirmed})`));
      if (repair) parts.push(query(repair));
    }
    const example = explained.counterexample;
    if (example) {
      parts.push(make("h4", {}, `Smallest counterexample found${example.rows === null || example.rows === undefined ? "" : `, ${example.rows} row${example.rows === 1 ? "" : "s"}`}${example.verified ? ", verified on SQLite" : ", not verified"}`));
      if (example.only_open) parts.push(make("p", { class: "muted small" }, "The difference hangs on what SQL leaves open, ties or rows without ORDER BY: the answers shown may look alike."));
      parts.push(make("div", { class: "answers" }, answer("Gold", example.gold), answer("Prediction", example.prediction)));
      parts.push(query(example.script), copy(example.script));
    }
    return make("div", { class: "explained" }, parts);
  }
  function facts(entries) {
    return make("dl", { class: "facts" }, entries.filter(([, value]) => value !== "" && value !== undefined)
      .flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, String(value))]));
  }
  function show(item, opener) {
    current = item;
    const golds = item.golds || [];
    const pane = pick("detail");
    const close = make("button", { class: "tool", type: "button", onclick: hide }, "Close");
    pane.replaceChildren(
      make("div", { class: "bar-top" }, make("h3", { id: "detail-title" }, "Item " + item.id), close),
      facts([["database", item.db], ["hardness", item.hardness], ["gold has", (item.components || []).join(", ")],
        ["turn", item.turn === undefined ? "" : `${item.turn} of interaction ${item.interaction}`]]),
      golds.length ? make("h4", {}, golds.length > 1 ? "Golds, each right" : "Gold") : make("p", { class: "muted" }, "This run kept no queries; score again to see them."),
      ...golds.map((gold) => query(gold, golds.length === 1 && item.runs.length === 1 ? item.runs[0].prediction || gold : undefined)),
      ...item.runs.map((own, number) => make("section", { "aria-label": data.runs[number] },
        make("h4", {}, badge(own.status), ` ${data.runs.length > 1 ? data.runs[number] : "Prediction"}: ${own.status}`),
        own.prediction ? query(own.prediction, golds[0]) : golds.length ? make("p", { class: "muted" }, "The model gave nothing.") : null,
        facts([["fate", own.fate === "ok" ? "" : words(own.fate)], ["message", own.message],
          ["shipped instance", own.execution], ["exact set match", own.exact],
          ["compared on", own.instances ? `${own.instances} instances, ${own.informative || 0} of them informative` : ""],
          ["differs on", own.explained && own.explained.differs_on.length
            ? `${own.explained.differs_on.length} of ${own.explained.instances} instances, first ${own.failed_on ? own.failed_on[0] : own.explained.differs_on[0]}`
            : (own.failed_on || []).join(", ") + ((own.failed_on || []).length >= 5 ? " (the first five)" : "")],
          ["flags", (own.flags || []).map(words).join(", ")],
          ["ran", own.path ? own.path + (own.reason ? ": " + own.reason : "") : ""]]),
        own.explained ? explanation(own.explained) : null)));
    pane.hidden = false;
    pane.scrollTop = 0;
    pane.opener = opener || null;
    document.querySelector(".split").classList.add("opened");
    history.replaceState(null, "", "#item=" + encodeURIComponent(item.id));
    highlight();
    if (matchMedia("(max-width: 46rem)").matches || !opener) close.focus();
  }
  function hide() {
    const pane = pick("detail");
    if (pane.hidden) return;
    pane.hidden = true;
    document.querySelector(".split").classList.remove("opened");
    const back = current && [...body.rows].find((line) => line.dataset.id === current.id);
    current = null;
    history.replaceState(null, "", "#items");
    highlight();
    if (back) back.querySelector("button").focus();
  }
  function choose(changes) {
    pick("filters").reset();
    for (const [id, value] of Object.entries(changes)) if (pick(id)) pick(id).value = value;
    filter();
    pick("items").scrollIntoView();
    pick("search").focus({ preventScroll: true });
  }

  // ---- events
  const form = pick("filters");
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  pick("more").addEventListener("click", more);
  for (const button of document.querySelectorAll("[data-filter]")) {
    button.addEventListener("click", () => {
      const { filter: kind, value, run: number } = button.dataset;
      if (kind === "status") choose({ run: number, status: value });
      else if (kind === "lucky-hardness") choose({ run: number, status: "lucky", hardness: value });
      else if (kind === "lucky-cause") choose({ run: number, status: "lucky", cause: value });
      else choose({ run: number, cause: value });
    });
  }
  for (const hit of document.querySelectorAll("[data-item]")) {
    hit.addEventListener("click", () => {
      const item = data.items.find((i) => i.id === hit.dataset.item);
      if (pick("run")) pick("run").value = hit.dataset.run;
      filter();
      show(item, null);
      pick("items").scrollIntoView();
    });
  }
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === "Escape") { hide(); return; }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !typing) { event.preventDefault(); pick("search").focus(); return; }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const lines = [...body.rows], focused = document.activeElement.closest("#table tbody tr");
    if (!focused && document.activeElement !== pick("search")) return;
    event.preventDefault();
    const next = lines[(focused ? lines.indexOf(focused) : -1) + (event.key === "ArrowDown" ? 1 : -1)];
    if (next) {
      next.querySelector("button").focus();
      if (!pick("detail").hidden) show(data.items.find((i) => i.id === next.dataset.id), next.querySelector("button"));
    }
  });
  // Printing shows everything that is folded away.
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => {
    d.dataset.was = d.open ? "open" : ""; d.open = true; }));
  addEventListener("afterprint", () => document.querySelectorAll("details").forEach((d) => { d.open = d.dataset.was === "open"; }));
  filter();
  const named = /^#item=(.*)$/.exec(location.hash);
  const wanted = named && data.items.find((i) => i.id === decodeURIComponent(named[1]));
  if (wanted) show(wanted, null);
  document.documentElement.dataset.ready = "yes";
})();
