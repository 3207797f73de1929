// The session as it was embedded: entries by id, their tree, labels, and sums.

const session = readSession();

function readSession() {
  const binary = atob(document.getElementById("pi-data").textContent);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  const data = JSON.parse(new TextDecoder().decode(bytes));
  const byId = new Map(data.entries.map((entry) => [entry.id, entry]));
  const children = new Map();
  for (const entry of data.entries) {
    const parent = byId.has(entry.parentId) ? entry.parentId : null;
    if (!children.has(parent)) children.set(parent, []);
    children.get(parent).push(entry);
  }
  return { ...data, byId, children, views: new Map(Object.entries(data.views)), labels: labelsOf(data.entries) };
}

function labelsOf(entries) {
  const labels = new Map();
  for (const entry of entries) {
    if (entry.type !== "label") continue;
    if (entry.label) labels.set(entry.targetId, entry.label);
    else labels.delete(entry.targetId);
  }
  return labels;
}

function roleOf(entry) {
  return entry.type === "message" ? entry.message?.role : undefined;
}

// The blocks of a message, each where its view is; what is none has nothing to show.
function blocksOf(content) {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.map((block) => (block && typeof block === "object" ? block : {})) : [];
}

// Entries that follow one, the last of them first.
function childrenLastFirst(id) {
  return [...(session.children.get(id) ?? [])].reverse();
}

function contentOf(entry) {
  return entry.type === "custom_message" ? entry.content : entry.message?.content;
}

function textOf(entry) {
  return blocksOf(contentOf(entry))
    .map((block) => (block.type === "text" ? String(block.text ?? "") : ""))
    .filter(Boolean)
    .join("\n");
}

function callsOf(entry) {
  return roleOf(entry) === "assistant" ? blocksOf(contentOf(entry)).filter((block) => block.type === "toolCall") : [];
}

// The entries from a root to `leaf`.
function pathTo(leaf) {
  const path = [];
  const seen = new Set();
  let entry = session.byId.get(leaf);
  while (entry && !seen.has(entry.id)) {
    seen.add(entry.id);
    path.push(entry);
    entry = session.byId.get(entry.parentId);
  }
  return path.reverse();
}

// The newest end of a branch that goes through an entry.
function leafThrough(id) {
  const seen = new Set();
  let last = id;
  for (let next = id; next !== undefined && !seen.has(next); ) {
    seen.add(next);
    last = next;
    next = session.children.get(next)?.at(-1)?.id;
  }
  return last;
}

// Messages, tokens and dollars of all branches.
function sumsOf(entries) {
  const sums = { users: 0, answers: 0, calls: 0, sent: 0, received: 0, cost: 0, models: new Set() };
  for (const entry of entries) {
    const message = entry.message ?? {};
    const usage = entry.type === "message" ? message.usage : entry.usage;
    sums.users += roleOf(entry) === "user";
    sums.answers += roleOf(entry) === "assistant";
    sums.calls += callsOf(entry).length;
    if (roleOf(entry) === "assistant" && message.model) sums.models.add(modelOf(message));
    if (!usage || typeof usage !== "object") continue;
    sums.sent += number(usage.input) + number(usage.cacheRead) + number(usage.cacheWrite);
    sums.received += number(usage.output);
    sums.cost += number(usage.cost?.total);
  }
  return sums;
}

function modelOf(message) {
  return [message.provider, message.model].filter(Boolean).map(asLine).join("/");
}

function number(value) {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
