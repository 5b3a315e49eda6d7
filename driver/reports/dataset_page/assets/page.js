// The overview, the address, and the keyboard.
const DATA = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");
let whole = null, last = null, current = null;

function overviewSections() {
  const made = [section("counts", "Counts", element("ul", { class: "counts" },
    DATA.counts.map(([label, value]) => element("li", {}, element("b", {}, value), label))))];
  if (DATA.waterfall) {
    made.push(section("waterfall", "Waterfall", faint("From repositories to environments. Each function is lost once: at the first stage that it does not pass, by its first reason."), steps(DATA.waterfall)));
    made.push(section("yields", "Yields", DATA.yields.map((each) => [element("h3", {}, each.title), sortable(each, each.title)])));
  } else {
    made.push(section("waterfall", "Waterfall", faint("These environments were not made by slice-func build: what else was tried is not recorded.")));
  }
  made.push(section("distributions", "Distributions", element("div", { class: "plots" }, DATA.distributions.map(histogram))));
  if (DATA.cost) {
    made.push(section("cost", "Cost", element("dl", {}, DATA.cost.summary.map(([label, value]) => [element("dt", {}, label), element("dd", {}, value)])),
      histogram(DATA.cost.plot), element("h3", {}, "By function"), sortable(DATA.cost.functions, "cost by function")));
  } else {
    made.push(section("cost", "Cost", faint("Not recorded.")));
  }
  if (DATA.duplicates) {
    made.push(section("duplicates", "Duplicates", DATA.duplicates.rows.length ? sortable(DATA.duplicates, "duplicates") : faint("None.")));
    made.push(section("rejected", "Functions without environment", DATA.rejected.rows.length ? sortable(DATA.rejected, "functions without environment", { main: true }) : faint("None.")));
  }
  const left = DATA.environments.rows.length - DATA.pages;
  made.push(section("environments", "Environments",
    left > 0 ? faint(`The first ${number(DATA.pages)} have a page here; ${number(left)} others are only in this table.`) : null,
    sortable(DATA.environments, "environments", { main: true })));
  return made;
}
function showOverview(id) {
  if (!whole) whole = overviewSections();
  const back = current !== null;
  current = null;
  if (main.firstChild !== whole[0]) main.replaceChildren(...whole);
  document.title = `${DATA.title} · report`;
  const link = back && id === "environments" && last !== null && main.querySelector(`#environments [data-environment="${last}"]`);
  const place = id && document.getElementById(id);
  if (link) { link.scrollIntoView({ block: "center" }); link.focus(); }
  else if (place) { place.scrollIntoView(); place.focus({ preventScroll: true }); }
}
async function showEnvironment(index) {
  current = last = index;
  let page;
  try {
    page = await unpacked(index);
  } catch (error) {
    main.replaceChildren(faint(`This page cannot be read here: ${error}. The browser must know DecompressionStream (2023 or later).`));
    return;
  }
  if (current !== index) return;
  main.replaceChildren(...environmentView(index, page));
  document.title = `${DATA.environments.names[index]} · ${DATA.title}`;
  window.scrollTo(0, 0);
  document.getElementById("environment").focus({ preventScroll: true });
}
function go() {
  const address = location.hash.slice(1);
  const found = /^environment\/(\d+)$/.exec(address);
  if (found && Number(found[1]) >= 1 && Number(found[1]) <= DATA.pages) showEnvironment(Number(found[1]) - 1);
  else if (!address && DATA.pages === 1 && !DATA.waterfall) showEnvironment(0);
  else if (current !== null && document.getElementById(address)) document.getElementById(address).focus();
  else showOverview(/^[a-z]+$/.test(address) ? address : null);
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const isWriting = event.target instanceof HTMLInputElement;
  if (event.key === "Escape") {
    if (isWriting) event.target.blur();
    else if (current !== null) location.hash = "#environments";
  } else if (isWriting) {
    return;
  } else if (event.key === "/") {
    const filter = main.querySelector("#environments input") || main.querySelector("input");
    if (filter) { event.preventDefault(); filter.focus(); filter.scrollIntoView({ block: "center" }); }
  } else if (current !== null && (event.key === "n" || event.key === "p")) {
    const next = current + (event.key === "n" ? 1 : -1);
    if (next >= 0 && next < DATA.pages) location.hash = `#environment/${next + 1}`;
  }
});
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
document.getElementById("title").append(shown(DATA.title));
document.getElementById("sections").append(...[["waterfall", "Waterfall"], ["yields", "Yields"], ["distributions", "Distributions"], ["cost", "Cost"], ["duplicates", "Duplicates"], ["rejected", "Without environment"], ["environments", "Environments"]]
  .filter(([id]) => DATA.waterfall || !["yields", "duplicates", "rejected"].includes(id))
  .map(([id, name]) => element("a", { href: `#${id}` }, name)));
window.addEventListener("hashchange", go);
go();
