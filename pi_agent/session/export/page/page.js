// The page as a whole: its head, the path that is read, links, keys.

const part = (name) => document.getElementById(`pi-${name}`);
const search = part("search");
const main = part("main");
const menu = part("menu");

function drawHeader() {
  part("header").append(
    make("h1", { dir: "auto" }, document.title),
    make("dl", null, ...facts().flatMap(([name, value]) => [make("dt", null, name), make("dd", null, value)])),
    told("System prompt", count(session.systemPrompt.length, "character"), session.systemPrompt && [grid(null, session.systemPrompt)]),
    told("Tools", session.tools.map((tool) => asLine(tool.name)).join(", "), session.tools.flatMap(toolParts)),
  );
}

// What the session is, and what it adds up to.
function facts() {
  const sums = sumsOf(session.entries);
  const forks = session.entries.filter((entry) => (session.children.get(entry.id) ?? []).length > 1).length;
  return [
    ["Model", [...sums.models].join(", ") || "–"],
    ["Folder", asLine(session.header.cwd ?? "") || "–"],
    ["Begun", moment(session.header.timestamp) ?? "–"],
    ["Messages", `${sums.users} from you, ${count(sums.answers, "answer")}, ${count(sums.calls, "tool call")}`],
    ["Tokens", `${sums.sent.toLocaleString("en")} sent, ${sums.received.toLocaleString("en")} received`],
    ["Cost", sums.cost ? dollars(sums.cost) : ""],
    ["Branches", forks ? `${count(forks, "place")} with more than one` : ""],
  ].filter(([, value]) => value);
}

// Something that the model was told; nothing if it was not.
function told(name, about, parts) {
  if (!parts?.length) return "";
  return folded("info", [make("span.name", null, name), make("span.title", null, about)], () => parts);
}

function toolParts(tool) {
  const parameters = JSON.stringify(tool.parameters ?? {}, null, 2);
  return [make("h6", null, asLine(tool.name)), formatted(null, tool.description ?? ""), grid(null, parameters)];
}

// Show the branch that ends at `leaf`.
function showPath(leaf) {
  const path = pathTo(leaf);
  tree.active = new Set(path.map((entry) => entry.id));
  drawFlow(path);
  drawTree();
}

// Go to an entry, on whatever branch it is; one that the conversation does not show leads to the one before it.
function goTo(id) {
  if (!session.byId.has(id)) return;
  if (!tree.active.has(id)) showPath(leafThrough(id));
  const element = shownAt(id);
  document.querySelector(".target")?.classList.remove("target");
  markCurrent(id);
  if (!element) return;
  element.fill?.();
  element.classList.add("target");
  element.scrollIntoView({ block: "start" });
}

function followLink() {
  let id = location.hash.slice(1);
  try {
    id = decodeURIComponent(id);
  } catch {
    // It is no encoded text: take it as it is.
  }
  closeMenu();
  if (id) goTo(id);
}

function step(by) {
  const next = neighbour(by);
  next?.scrollIntoView({ block: "start" });
  if (next) markCurrent(next.dataset.entry);
}

// On a narrow screen the tree lies over the conversation.
function setMenu(isOpen) {
  document.body.classList.toggle("menu", isOpen);
  menu.setAttribute("aria-expanded", String(isOpen));
  menu.textContent = isOpen ? "Close" : "Entries";
}

function closeMenu() {
  setMenu(false);
}

// Up and down in the tree, from the search field on.
function moveInTree(event, by) {
  const rows = [...tree.box.querySelectorAll("a")];
  const at = rows.indexOf(document.activeElement);
  if (at < 0 && document.activeElement !== search) return;
  event.preventDefault();
  if (at + by < 0) search.focus();
  else rows[Math.min(rows.length - 1, at + by)]?.focus();
}

function pressSearch(event) {
  if (event.key === "Escape") {
    if (search.value) return setSearch((search.value = ""));
    search.blur();
    closeMenu();
  } else if (event.key === "Enter") {
    tree.box.querySelector("a")?.click();
  }
}

const KEYS = {
  "/": () => search.focus(),
  j: () => step(1),
  k: () => step(-1),
  e: () => setExpanded(!flow.isExpanded),
  Escape: closeMenu,
};

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") moveInTree(event, event.key === "ArrowDown" ? 1 : -1);
  if (event.target === search) return pressSearch(event);
  const action = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : null;
  if (!action) return;
  event.preventDefault();
  action();
}

function start() {
  for (const name of Object.keys(FILTERS)) {
    part("filters").append(make("button", { type: "button", "data-filter": name, onclick: () => setFilter(name) }, name));
  }
  search.addEventListener("input", () => setSearch(search.value));
  menu.addEventListener("click", () => setMenu(!document.body.classList.contains("menu")));
  main.addEventListener("click", closeMenu);
  document.addEventListener("keydown", press);
  window.addEventListener("hashchange", followLink);
  drawHeader();
  showPath(session.leafId ?? session.entries.at(-1)?.id);
  setFilter("default");
  followLink();
}

start();
