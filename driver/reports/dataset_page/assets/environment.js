// The page of one environment.
async function unpacked(index) {
  const text = document.getElementById(`page-${index}`).textContent;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}
function code(text, label) { return element("pre", { tabindex: "0", "aria-label": label, dir: "ltr" }, text); }
function listed(title, names, rows, none) {
  return [element("h3", {}, title), rows.length ? plainTable(title, names, rows) : faint(none)];
}
function environmentView(index, page) {
  const names = DATA.environments.names;
  const links = element("nav", { class: "foot", "aria-label": "environments" },
    element("a", { href: "#environments" }, "All environments"),
    index > 0 ? element("a", { href: `#environment/${index}`, rel: "prev" }, `Previous: ${names[index - 1]}`) : null,
    index + 1 < DATA.pages ? element("a", { href: `#environment/${index + 2}`, rel: "next" }, `Next: ${names[index + 1]}`) : null);
  const facts = element("dl", {}, page.facts.map(([label, value]) => [element("dt", {}, label), element("dd", {}, value)]));
  return [
    element("h2", { id: "environment", tabindex: "-1" }, names[index]), links, facts,
    faithfulPart(page),
    section("function", "Function", code(page.code, "function")),
    section("prompt", "Prompt", faint("What a model reads. The function's body is a hole."), code(page.prompt, "prompt")),
    slicePart(page), casesPart(page), mutantsPart(page),
    page.reasons.length ? section("reasons", "Left out and noted", plainTable("reasons", ["code", "place", "hint"], page.reasons)) : null,
  ].filter(Boolean);
}
function faithfulPart(page) {
  const found = page.faithful, lines = [];
  if (!found) lines.push(element("p", { class: "faint" }, "Not recorded whether the cases were run in the repository itself."));
  else if (!found.compared) lines.push(element("p", {}, `Not compared with the repository: ${found.why_not ? [found.why_not.code, found.why_not.hint].filter(Boolean).join(": ") : "no reason recorded"}.`));
  else {
    const same = found.same === found.compared;
    lines.push(element("p", { class: same ? "good" : "bad" }, `${same ? "Yes" : "No"}: ${number(found.same)} of ${number(found.compared)} cases do the same in the repository itself.`));
  }
  const yes = (value) => value ? "the repository's own" : "not the repository's own";
  lines.push(element("ul", { class: "plain" },
    element("li", {}, `The function's syntax tree is ${yes(page.ast_equal)}; those of what it needs are ${yes(page.dependencies_equal)}.`),
    element("li", {}, `Observed the same in ${number(page.stable_runs)} runs.`)));
  return section("faithful", "Faithful", lines);
}
function slicePart(page) {
  const why = "The record holds no reasons. This says which other pieces name each one, as the text of the slice has it. “slice-func REPO PATH::QUALNAME --explain” prints why each is kept.";
  return section("slice", "Slice",
    element("h3", {}, "Pieces"), faint(why),
    page.pieces.length ? plainTable("pieces", ["piece", "kind", "file", "lines", "named by"], page.pieces) : faint("None could be listed."),
    listed("External modules", ["module", "distribution", "treatment", "reason"], page.externals, "None."),
    listed("Stand-ins for the outside world", ["family", "called for by"], page.mocks, "None."),
    listed("Gaps: what could not be decided", ["kind", "place", "what", "filled by"], page.gaps, "None."),
    listed("Requirements that runs have added", ["requirement", "because", "installed"], page.added, "None."),
    listed("Data files", ["path"], page.data_files.map((path) => [path]), "None."),
    element("h3", {}, "Text"), faint("Without the loader and the stand-ins, which are slice-func's own. Edits are listed in the manifest alone, and are not recorded here."),
    code(page.slice, "slice"));
}
function casesPart(page) {
  const hidden = page.hidden, notes = [];
  if (hidden) {
    const out = Object.entries(hidden.left_out || {}).map(([code, count]) => `${code} ${count}`).join(", ");
    notes.push(faint(`Hidden cases: ${hidden.kept} of ${hidden.given} kept${out ? ` (left out: ${out})` : ""}. Their texts are not shown.`));
  }
  return section("cases", "Cases shown", notes, page.cases.map(([name, text, outcome]) =>
    element("div", { class: "case" }, element("h3", {}, name), code(text, name), code(outcome, `what ${name} gives`))));
}
function mutantsPart(page) {
  const found = page.mutants;
  if (!found) return section("survivors", "Surviving mutants", faint("Mutants could not be tried."));
  const counts = [`${number(found.killed)} killed`, `${number(found.survived.length)} survived`];
  for (const [key, word] of [["equivalent", "equivalent"], ["not_compared", "change only what is not compared"], ["not_applied", "not applied"], ["not_drawn", "not drawn"]]) {
    if (found[key]) counts.push(`${number(found[key])} ${word}`);
  }
  const cheap = found.cheap_solutions_that_pass || [];
  return section("survivors", "Surviving mutants", element("p", {}, counts.join(", ") + "."),
    element("ul", { class: "plain" }, found.survived.map((each) => element("li", {}, element("code", {}, each)))),
    cheap.length ? [element("h3", {}, "Cheap solutions that pass"), element("ul", { class: "plain" }, cheap.map((each) => element("li", {}, each)))] : null);
}
