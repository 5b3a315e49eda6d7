// Tables that sort by column and filter by text.
const STEP = 100;
const FORMATS = { count: number, share: percent, seconds: (value) => value.toFixed(1), text: (value) => value };
function cellText(kind, value) {
  if (value === null || value === undefined) return kind === "text" ? "" : "–";
  return kind === "environment" ? DATA.environments.names[value] : FORMATS[kind](value);
}
function environmentLink(index) {
  const name = DATA.environments.names[index];
  if (index >= DATA.pages) return element("span", {}, name);
  return element("a", { href: `#environment/${index + 1}`, "data-environment": index }, name);
}
function compare(kind, one, other) {
  if (one === null || other === null) return (one === null) - (other === null);
  if (kind === "environment") return compare("text", cellText(kind, one), cellText(kind, other));
  if (kind !== "text") return one - other;
  return one < other ? -1 : Number(one > other);
}
function sortable(data, label, options = {}) {
  const { columns, rows } = data;
  const texts = rows.map((row) => row.map((value, at) => cellText(columns[at][1], value)).join("\n").toLowerCase());
  let order = rows.map((_, index) => index);
  let limit = STEP, by = null, down = false;
  const body = element("tbody");
  const status = element("span", { class: "faint", role: "status" });
  const more = element("button", { type: "button", class: "more" }, `Show ${STEP} more`);
  const filter = element("input", { type: "search", placeholder: "filter by text", "aria-label": `filter ${label}` });
  const heads = columns.map(([name, kind], at) => {
    const button = element("button", { type: "button" }, name);
    button.addEventListener("click", () => {
      down = by === at ? !down : kind !== "text" && kind !== "environment";
      by = at;
      update();
    });
    return element("th", { scope: "col", class: isRight(kind) ? "right" : null }, button);
  });
  function matching() {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    return order.filter((index) => words.every((word) => texts[index].includes(word)));
  }
  function update() {
    if (by !== null) {
      const kind = columns[by][1];
      order.sort((a, b) => {
        const one = rows[a][by], other = rows[b][by];
        const found = compare(kind, one, other);
        return (one === null || other === null || !down ? found : -found) || a - b;
      });
    }
    heads.forEach((head, at) => {
      if (at === by) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    const found = matching();
    body.replaceChildren(...found.slice(0, limit).map((index) => tableRow(columns, rows[index])));
    status.textContent = found.length === rows.length
      ? `${number(rows.length)} rows` : `${number(found.length)} of ${number(rows.length)} rows`;
    more.hidden = found.length <= limit;
  }
  filter.addEventListener("input", () => { limit = STEP; update(); });
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Enter") (body.querySelector("a") || body).focus();
    if (event.key === "Escape" && filter.value) { filter.value = ""; update(); event.stopPropagation(); }
  });
  more.addEventListener("click", () => {
    const before = body.rows.length;
    limit += STEP;
    update();
    const link = body.rows[before] && body.rows[before].querySelector("a");
    if (link) link.focus();
  });
  update();
  const head = element("thead", {}, element("tr", {}, heads));
  const tools = rows.length > 5 || options.main ? element("div", { class: "tools" }, filter, status) : null;
  return element("div", { class: "sortable" }, tools, element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    element("table", { "aria-label": label }, head, body)), more);
}
function isRight(kind) { return kind === "count" || kind === "share" || kind === "seconds"; }
function tableRow(columns, row) {
  return element("tr", {}, row.map((value, at) => {
    const kind = columns[at][1];
    if (kind === "environment" && value !== null) return element("td", { class: "text" }, environmentLink(value));
    const text = cellText(kind, value);
    const length = String(text).length;
    return element("td", { class: isRight(kind) ? "right" : length > 60 ? "text long" : length < 30 ? "text short" : "text" }, text);
  }));
}
function plainTable(label, names, rows) {
  return sortable({ columns: names.map((name) => [name, typeof (rows[0] || [])[names.indexOf(name)] === "number" ? "count" : "text"]), rows }, label);
}
