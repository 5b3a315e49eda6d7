"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const store = `slice-func audit ${data.sheet}`;
const steps = { before: data.questions.filter(q => q.step === "before"), after: data.questions.filter(q => q.step === "after") };
let state = { annotator: "", at: 0, answers: {} };
const byId = id => document.getElementById(id);

function made(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in element && name !== "list") element[name] = value; else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

function answersOf(item) { return state.answers[item.item] ??= {}; }
function isShown(item) { return answersOf(item).shown === true; }
function asked(item) { return isShown(item) ? steps.after : steps.before; }
function isDone(item) { return isShown(item) && data.questions.every(q => answersOf(item)[q.name]); }
function current(item) { return asked(item).find(q => !answersOf(item)[q.name]); }
function canShow(item) { return !isShown(item) && steps.before.every(q => answersOf(item)[q.name]); }

function keep() {
  try { localStorage.setItem(store, JSON.stringify(state)); } catch { /* saved by hand then */ }
}

function question(item, q) {
  const answers = answersOf(item);
  const isFixed = q.step === "before" && isShown(item);
  const isCurrent = current(item) === q;
  const choices = q.answers.map((value, number) => {
    const input = made("input", { type: "radio", name: q.name, value, checked: answers[q.name] === value, disabled: isFixed });
    input.addEventListener("change", () => answer(q, value));
    return made("label", { className: "choice" }, input, ` ${value} `, ...(isCurrent ? [made("kbd", {}, String(number + 1))] : []));
  });
  return made("fieldset", { className: isCurrent ? "current" : "" },
    made("legend", {}, q.text), made("p", { className: "help" }, q.help), made("div", { className: "choices" }, ...choices));
}

function text(item, name, label, help) {
  const area = made("textarea", { id: name, value: answersOf(item)[name] ?? "", spellcheck: name === "notes" });
  area.addEventListener("input", () => { answersOf(item)[name] = area.value; keep(); });
  return made("div", {}, made("h3", {}, made("label", { htmlFor: name }, label)), made("p", { className: "help" }, help), area);
}

function code(title, content) {
  return made("section", {}, made("h3", {}, title), made("pre", { tabIndex: 0 }, made("code", {}, content)));
}

function draw() {
  const item = data.items[state.at];
  const parts = [made("h2", {}, `${item.item}. ${item.function}`)];
  if (isShown(item)) {
    parts.push(...steps.after.map(q => question(item, q)));
    parts.push(made("div", { className: "pair" }, code("The original", item.original), code("The slice", item.slice)));
    parts.push(code("The tests, and what the original does", item.tests));
    parts.push(made("details", {}, made("summary", {}, "The first step"), ...steps.before.map(q => question(item, q)), code("What a model gets", item.context)));
  } else {
    parts.push(...steps.before.map(q => question(item, q)));
    const show = made("button", { type: "button", className: "main", disabled: !canShow(item) }, "Show the original, the slice and the tests");
    show.addEventListener("click", reveal);
    parts.push(show, code("What a model gets", item.context));
    parts.push(text(item, "solution", "Your solution (optional)", "The whole function. It can be run against the tests afterwards."));
  }
  parts.push(text(item, "notes", "Notes (optional)", "What made you hesitate, and what is wrong."));
  const previous = made("button", { type: "button", disabled: state.at === 0 }, "Previous");
  previous.addEventListener("click", () => go(state.at - 1));
  const next = made("button", { type: "button", disabled: state.at === data.items.length - 1 }, "Next");
  next.addEventListener("click", () => go(state.at + 1));
  parts.push(made("div", { className: "foot" }, previous, next));
  byId("main").replaceChildren(...parts);
  drawItems();
}

function drawItems() {
  byId("items").replaceChildren(...data.items.map((item, number) => {
    const mark = isDone(item) ? "✓" : isShown(item) || Object.keys(answersOf(item)).length ? "…" : "";
    const button = made("button", { type: "button", "aria-current": String(number === state.at), "aria-label": `item ${item.item}${isDone(item) ? ", done" : ""}` },
      made("span", { className: "state" }, mark), made("span", {}, item.item), made("span", { className: "name", title: item.function }, item.function.split("::").pop()));
    button.addEventListener("click", () => go(number));
    return made("li", {}, button);
  }));
  const done = data.items.filter(isDone).length;
  byId("progress").value = done / data.items.length;
  byId("count").textContent = `${done} of ${data.items.length}`;
}

function answer(q, value) {
  const item = data.items[state.at];
  if (q.step === "before" && isShown(item)) return;
  answersOf(item)[q.name] = value;
  keep();
  draw();
  byId("main").querySelector(`input[name="${q.name}"]:checked`)?.focus({ preventScroll: true });
}

function reveal() {
  const item = data.items[state.at];
  if (!canShow(item)) return;
  answersOf(item).shown = true;
  keep();
  draw();
  byId("main").focus({ preventScroll: true });
}

function go(number) {
  if (number < 0 || number >= data.items.length) return;
  state.at = number;
  keep();
  draw();
  byId("main").focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

function undo() {
  const item = data.items[state.at];
  const answered = asked(item).filter(q => answersOf(item)[q.name]);
  if (!answered.length) return;
  delete answersOf(item)[answered.at(-1).name];
  keep();
  draw();
}

function csvCell(value) {
  const cell = String(value ?? "");
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function csv() {
  const rows = data.items.map(item => {
    const own = { ...answersOf(item), item: item.item, sheet: data.sheet, function: item.function, annotator: state.annotator };
    return data.columns.map(name => csvCell(own[name])).join(",");
  });
  return [data.columns.join(","), ...rows, ""].join("\r\n");
}

function save() {
  if (!state.annotator.trim()) { byId("annotator").focus(); byId("count").textContent = "first write your name"; return; }
  const name = state.annotator.trim().replaceAll(/[^\w.-]+/g, "-");
  const link = made("a", { href: URL.createObjectURL(new Blob([csv()], { type: "text/csv" })), download: `audit-${name}.csv` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function parseCsv(source) {
  const rows = [[]];
  let cell = "", isQuoted = false;
  for (let i = 0; i < source.length; i++) {
    const c = source[i];
    if (isQuoted) {
      if (c === '"' && source[i + 1] === '"') { cell += '"'; i++; }
      else if (c === '"') isQuoted = false;
      else cell += c;
    } else if (c === '"') isQuoted = true;
    else if (c === ",") { rows.at(-1).push(cell); cell = ""; }
    else if (c === "\n") { rows.at(-1).push(cell.replace(/\r$/, "")); cell = ""; rows.push([]); }
    else cell += c;
  }
  rows.at(-1).push(cell);
  return rows.filter(row => row.length > 1);
}

function load(source) {
  const [head, ...rows] = parseCsv(source.replace(/^\ufeff/, ""));
  const known = new Set(data.items.map(item => item.item));
  for (const row of rows) {
    const given = Object.fromEntries(head.map((name, at) => [name, row[at] ?? ""]));
    if (given.sheet && given.sheet !== data.sheet) { byId("count").textContent = "this CSV is of another sheet"; return; }
    if (!known.has(given.item)) continue;
    const own = state.answers[given.item] = {};
    for (const q of data.questions) if (q.answers.includes(given[q.name])) own[q.name] = given[q.name];
    for (const name of ["solution", "notes"]) if (given[name]) own[name] = given[name];
    own.shown = steps.after.some(q => own[q.name]);
    if (given.annotator) state.annotator = given.annotator;
  }
  byId("annotator").value = state.annotator;
  keep();
  draw();
}

function toggleHelp() {
  const isHidden = byId("keys").hidden = !byId("keys").hidden;
  byId("help").setAttribute("aria-expanded", String(!isHidden));
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches?.("textarea, input:not([type=radio])")) return;
  const item = data.items[state.at], q = current(item);
  const number = Number(event.key);
  if (number >= 1 && q && number <= q.answers.length) answer(q, q.answers[number - 1]);
  else if (event.key === "Enter" && !event.target.matches?.("button, summary, label")) reveal();
  else if (event.key === "n") go(state.at + 1);
  else if (event.key === "p") go(state.at - 1);
  else if (event.key === "u") undo();
  else if (event.key === "s") save();
  else if (event.key === "?") toggleHelp();
  else return;
  event.preventDefault();
}

try { state = { ...state, ...JSON.parse(localStorage.getItem(store) ?? "{}") }; } catch { /* a fresh start */ }
byId("annotator").value = state.annotator;
byId("annotator").addEventListener("input", event => { state.annotator = event.target.value; keep(); drawItems(); });
byId("save").addEventListener("click", save);
byId("help").addEventListener("click", toggleHelp);
byId("load").addEventListener("change", async event => { load(await event.target.files[0].text()); event.target.value = ""; });
document.addEventListener("keydown", onKey);
draw();
