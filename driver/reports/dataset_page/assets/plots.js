// Plots, as SVG. Widths are shares of the page's, so that letters keep their size.
function steps(stages) {
  const list = element("div", { class: "steps", role: "list" });
  for (const stage of stages) {
    const most = Math.max(1, ...stages.filter((each) => isRepository(each) === isRepository(stage)).map((each) => each.count));
    const share = stage.count / most;
    const bar = drawing("svg", { height: 16, "aria-hidden": "true" });
    bar.append(drawing("rect", { width: "100%", height: 16, rx: 2, class: "rest" }));
    bar.append(drawing("rect", { width: `${share * 100}%`, height: 16, rx: 2, class: "fill" }));
    const lost = stage.lost.reduce((sum, [, count]) => sum + count, 0);
    const why = stage.lost.map(([reason, count]) => `${reason} ${number(count)}`).join(", ");
    list.append(element("div", { class: "step", role: "listitem" },
      element("span", { class: "name" }, stage.stage),
      element("span", { class: "bar" }, bar),
      element("span", { class: "number" }, number(stage.count)),
      lost ? element("span", { class: "lost" }, `−${number(lost)}: ${why}`) : null));
  }
  return list;
}
function isRepository(stage) { return stage.unit === "repositories"; }
function histogram(data) {
  const total = data.bins.reduce((sum, each) => sum + each, 0);
  const most = Math.max(1, ...data.bins);
  const height = 130, top = 18, width = 100 / data.bins.length;
  const words = data.bins.map((count, at) => count ? `${data.labels[at]}: ${count}` : "").filter(Boolean).join("; ");
  const plot = drawing("svg", { height: height + top + 20, role: "img", "aria-label": `${data.title}. ${words}` });
  data.bins.forEach((count, at) => {
    const high = count / most * height, left = at * width, middle = left + width / 2;
    const bar = drawing("rect", { x: `${left + width * 0.08}%`, width: `${width * 0.84}%`, y: top + height - high, height: high, class: "fill" });
    bar.append(drawing("title", {}, `${data.labels[at]}: ${number(count)}`));
    plot.append(bar);
    if (count) plot.append(drawing("text", { x: `${middle}%`, y: top + height - high - 4, "text-anchor": "middle" }, number(count)));
    plot.append(drawing("text", { x: `${middle}%`, y: top + height + 16, "text-anchor": "middle", class: "tick" }, data.ticks[at]));
  });
  plot.append(drawing("line", { x1: 0, x2: "100%", y1: top + height + 0.5, y2: top + height + 0.5, class: "axis" }));
  const notes = [data.axis, data.middle, `${number(total)} counted`, data.unknown ? `${number(data.unknown)} not measured` : ""];
  return element("figure", {}, element("figcaption", {}, data.title), plot, element("p", {}, notes.filter(Boolean).join(" · ")));
}
