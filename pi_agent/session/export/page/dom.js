"use strict";
// Elements for the page: `make` for its own, `show` for what a session holds. Text is text in both.

const SHOWN_ELEMENTS = new Set(
  ("a blockquote br code del em h1 h2 h3 h4 h5 h6 hr img li ol p pre span strong table tbody td th thead tr ul").split(" "),
);
const CLASS = /^[A-Za-z][A-Za-z0-9-]*$/;
const LINK = /^(https?:|mailto:)/i;
const PICTURE = /^data:image\/(png|jpeg|gif|webp|avif|bmp);base64,[A-Za-z0-9+/=]*$/i;
const COLOR = /^#[0-9a-f]{6}$/;
const PALETTE_COLOR = /^ansi-(\d|1[0-5])$/;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const SEQUENCES = /\u001b(\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(\u0007|\u001b\\)?)/g;
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

// Text as a reader can see it: without control sequences, and in the order in which it is stored.
function clean(text) {
  return String(text)
    .replace(/\r\n?/g, "\n")
    .replace(SEQUENCES, "")
    .replace(CONTROLS, "")
    .replace(REORDERING, "\ufffd");
}

function asLine(text) {
  return clean(text).replace(/\s+/g, " ").trim();
}

// An element of the page's own: `make("p.note", {title: "…"}, "text", child)`. Empty children are left out.
function make(name, attributes, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  element.classList.add(...classes);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  for (const child of children) {
    if (child instanceof Node) element.append(child);
    else if (child !== null && child !== undefined && child !== "") element.append(clean(child));
  }
  return element;
}

// What a view holds, by the allow-list above; anything else comes out as its text.
function show(node) {
  if (!Array.isArray(node)) return document.createTextNode(clean(node ?? ""));
  const [name, ...rest] = node;
  const hasAttributes = rest.length > 0 && rest[0] !== null && typeof rest[0] === "object" && !Array.isArray(rest[0]);
  const attributes = hasAttributes ? rest.shift() : {};
  const [tag, ...classes] = String(name).split(".");
  const element = document.createElement(SHOWN_ELEMENTS.has(tag) ? tag : "span");
  element.classList.add(...classes.filter((each) => CLASS.test(each)));
  setShown(element, attributes);
  for (const child of rest) element.append(show(child));
  return element;
}

function setShown(element, attributes) {
  const { href, src, alt, start, color, background } = attributes;
  if (element.tagName === "A" && LINK.test(href)) {
    element.href = href;
    element.rel = "noopener noreferrer";
    element.target = "_blank";
  }
  if (element.tagName === "IMG" && PICTURE.test(src)) {
    element.src = src;
    element.alt = clean(alt ?? "");
  }
  if (element.tagName === "OL" && Number.isInteger(start)) element.start = start;
  setColor(element, "color", color);
  setColor(element, "background", background);
}

function setColor(element, slot, color) {
  if (COLOR.test(color)) element.style[slot] = color;
  else if (PALETTE_COLOR.test(color)) element.style[slot] = `var(--${color})`;
}
