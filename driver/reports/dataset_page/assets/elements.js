// Elements. All texts are set as text; characters that reorder or hide a line are written out.
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
function shown(value) {
  return String(value).replace(HIDDEN, (found) => "\\u" + found.charCodeAt(0).toString(16).padStart(4, "0"));
}
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined) made.append(child instanceof Node ? child : shown(child));
  }
  return made;
}
function drawing(name, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = shown(text);
  return made;
}
function section(id, title, ...children) {
  return element("section", { id, "aria-label": title, tabindex: "-1" }, element("h2", {}, title), ...children);
}
function number(value) { return value.toLocaleString("en"); }
function percent(value) { return (value * 100).toFixed(value === 1 || value === 0 ? 0 : 1) + " %"; }
function faint(text) { return element("p", { class: "faint" }, text); }
