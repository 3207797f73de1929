// The sidebar: all entries as a tree, what of it is shown, and where the reader is.

const SETTINGS_TYPES = ["label", "context_edit", "custom", "model_change", "thinking_level_change", "session_info"];
const FILTERS = {
  default: (entry) => !SETTINGS_TYPES.includes(entry.type) && roleOf(entry) !== "system",
  "no-tools": (entry) => FILTERS.default(entry) && roleOf(entry) !== "toolResult",
  "user-only": (entry) => roleOf(entry) === "user",
  "labeled-only": (entry) => session.labels.has(entry.id),
  all: () => true,
};
const SEARCHED_CHARACTERS = 20000;

const tree = {
  box: document.getElementById("pi-tree"),
  filter: "default",
  words: [],
  rows: new Map(),
  active: new Set(),
  current: null,
  calls: null,
  searched: new Map(),
};

function setFilter(name) {
  tree.filter = name;
  for (const button of document.querySelectorAll("#pi-filters button")) {
    button.setAttribute("aria-pressed", String(button.dataset.filter === name));
  }
  drawTree();
}

function setSearch(text) {
  tree.words = asLine(text).toLowerCase().split(" ").filter(Boolean);
  drawTree();
}

function isInTree(entry) {
  if (entry.type === "usage" || !FILTERS[tree.filter](entry)) return false;
  if (roleOf(entry) === "assistant" && !hasWords(entry) && entry.id !== session.leafId) return false;
  return tree.words.every((word) => searchedText(entry).includes(word));
}

function hasWords(entry) {
  return Boolean(textOf(entry).trim()) || ["error", "aborted"].includes(entry.message.stopReason);
}

function searchedText(entry) {
  if (!tree.searched.has(entry.id)) {
    const text = `${rowText(entry).join(" ")} ${textOf(entry)} ${entry.summary ?? ""} ${session.labels.get(entry.id) ?? ""}`;
    tree.searched.set(entry.id, text.slice(0, SEARCHED_CHARACTERS).toLowerCase());
  }
  return tree.searched.get(entry.id);
}

// Rows with what is drawn before them: lines only where a branch begins, the branch that is read first.
function drawTree() {
  const rows = document.createDocumentFragment();
  tree.rows.clear();
  const pending = shownChildren(null).map((entry, index, all) => begin(entry, "", index, all));
  pending.reverse();
  while (pending.length) {
    const { entry, lines, below } = pending.pop();
    tree.rows.set(entry.id, treeRow(entry, lines));
    rows.append(tree.rows.get(entry.id));
    const next = shownChildren(entry.id).map((child, index, all) => begin(child, below, index, all));
    for (const row of next.reverse()) pending.push(row);
  }
  tree.box.replaceChildren(rows.childNodes.length ? rows : make("p.note", null, "No entry is like that."));
  markCurrent(tree.current, false);
}

function begin(entry, before, index, all) {
  if (all.length === 1) return { entry, lines: before, below: before };
  const isLast = index === all.length - 1;
  return { entry, lines: `${before}${isLast ? "└─" : "├─"}`, below: `${before}${isLast ? "  " : "│ "}` };
}

// The next entries below one that the tree shows, the branch that is read first.
function shownChildren(id) {
  const found = [];
  const pending = childrenLastFirst(id);
  while (pending.length) {
    const entry = pending.pop();
    if (isInTree(entry)) found.push(entry);
    else for (const child of childrenLastFirst(entry.id)) pending.push(child);
  }
  return found.sort((one, other) => leads(other) - leads(one));
}

function leads(entry) {
  return Number(tree.active.has(entry.id));
}

function treeRow(entry, lines) {
  const [who, text] = rowText(entry);
  const label = session.labels.get(entry.id);
  return make(
    `a.row.${kindOf(entry)}${tree.active.has(entry.id) ? ".active" : ""}`,
    { ...linkTo(entry), title: `${who} ${text}`.trim().slice(0, 300) },
    lines ? make("span.lines", { "aria-hidden": "true" }, lines) : null,
    label ? make("span.label", null, asLine(label)) : null,
    who ? make("span.who", null, who) : null,
    make("span.what", { dir: "auto" }, text.slice(0, 160)),
  );
}

function kindOf(entry) {
  return roleOf(entry) ? `is-${asLine(roleOf(entry)).replace(/[^A-Za-z]/g, "")}` : `is-${asLine(entry.type ?? "").replace(/[^a-z_]/g, "")}`;
}

// Who or what it is, and what it says.
function rowText(entry) {
  const message = entry.message ?? {};
  switch (roleOf(entry)) {
    case "user":
      return ["user", asLine(textOf(entry).slice(0, 400)) || "(picture)"];
    case "assistant":
      return ["assistant", asLine(textOf(entry).slice(0, 400)) || endOf(message)];
    case "toolResult":
      return ["", `[${asLine(message.toolName ?? "tool")}: ${calledFor(message)}]`];
    case "bashExecution":
      return ["", `[bash: ${asLine(message.command ?? "").slice(0, 100)}]`];
    case "system":
      return ["", "[system]"];
  }
  switch (entry.type) {
    case "compaction":
      return ["", `[compaction: ${shortCount(number(entry.tokensBefore))} tokens]`];
    case "branch_summary":
      return ["[branch summary]", asLine(String(entry.summary ?? "").slice(0, 400))];
    case "model_change":
      return ["", `[model: ${asLine(entry.modelId ?? "")}]`];
    case "thinking_level_change":
      return ["", `[thinking: ${asLine(entry.thinkingLevel ?? "")}]`];
    case "label":
      return ["", `[label: ${asLine(entry.label ?? "(cleared)")}]`];
    case "session_info":
      return ["", `[title: ${asLine(entry.name ?? "(cleared)")}]`];
    case "context_edit":
      return ["", "[context edit]"];
    default:
      return [`[${nameOf(entry)}]`, asLine(textOf(entry).slice(0, 400))];
  }
}

function nameOf(entry) {
  return asLine(entry.customType ?? entry.message?.customType ?? roleOf(entry) ?? entry.type ?? "entry");
}

function endOf(message) {
  if (message.stopReason === "aborted") return "(aborted)";
  return message.stopReason === "error" ? asLine(message.errorMessage || "(failed)") : "(no text)";
}

// What a result is the answer to.
function calledFor(result) {
  tree.calls ??= new Map(session.entries.flatMap(callsOf).map((call) => [call.id, call.arguments]));
  const title = callTitle(result.toolName, tree.calls.get(result.toolCallId) ?? {});
  return title.replace(/^\$ /, "").slice(0, 100);
}

// Mark the row of the entry that is read, or that of the one before it which has one.
function markCurrent(id, scrolls = true) {
  tree.box.querySelector("[aria-current]")?.removeAttribute("aria-current");
  tree.current = id;
  const shown = pathTo(id).findLast((entry) => tree.rows.has(entry.id));
  const row = shown && tree.rows.get(shown.id);
  if (!row) return;
  row.setAttribute("aria-current", "location");
  if (scrolls) row.scrollIntoView({ block: "nearest" });
}
