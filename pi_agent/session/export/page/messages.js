// What stands in the conversation for each entry; `null` for those that only the tree shows.

const EDITED = "What the model sees of an earlier entry was changed.";
const HIDDEN = "An earlier entry was hidden from the model.";

const anchors = new Map();

// Remember where an entry is shown, for links to it.
function anchor(element, entry) {
  element.id = entry.id;
  element.dataset.entry = entry.id;
  anchors.set(entry.id, element);
  return element;
}

function article(entry, kind, heading, ...children) {
  const label = session.labels.get(entry.id);
  const head = make(
    "div.head",
    null,
    make("span.who", null, heading),
    label ? make("span.label", null, asLine(label)) : null,
    moment(entry.timestamp),
    make("a.link", { ...linkTo(entry), title: "Link to this entry", "aria-label": "Link to this entry" }, "#"),
  );
  return anchor(make(`article.${kind}`, null, head, ...children), entry);
}

function linkTo(entry) {
  return { href: `#${encodeURIComponent(entry.id)}` };
}

function note(entry, text) {
  return anchor(make("p.event", null, text), entry);
}

function messageOf(entry) {
  try {
    return shownMessage(entry, session.views.get(entry.id) ?? []);
  } catch {
    return note(entry, DAMAGED);
  }
}

function shownMessage(entry, view) {
  switch (entry.type) {
    case "message":
      return roleMessage(entry, view);
    case "custom_message":
      return entry.display === false ? null : customMessage(entry, entry.customType ?? "Extension", view);
    case "compaction":
      return summary(entry, `Compacted: ${number(entry.tokensBefore).toLocaleString("en")} tokens before`, view);
    case "branch_summary":
      return summary(entry, "Summary of a branch that was left", view);
    case "model_change":
      return note(entry, `Model: ${asLine(entry.provider ?? "")}/${asLine(entry.modelId ?? "")}`);
    case "thinking_level_change":
      return note(entry, `Thinking: ${asLine(entry.thinkingLevel ?? "")}`);
    case "context_edit":
      return note(entry, entry.replacement ? EDITED : HIDDEN);
    default:
      return null;
  }
}

function roleMessage(entry, view) {
  const message = entry.message ?? {};
  switch (message.role) {
    case "user":
      return article(entry, "user", "You", ...contentParts(entry, view));
    case "assistant":
      return answer(entry, message, view);
    case "toolResult":
      return flow.called.has(message.toolCallId) ? null : callCard({ name: message.toolName, arguments: {} }, null, entry);
    case "bashExecution":
      return bashMessage(entry, view);
    case "system":
      return systemMessage(entry);
    default:
      return customMessage(entry, message.customType ?? message.role ?? "Message", view);
  }
}

function customMessage(entry, name, view) {
  return article(entry, "custom", asLine(name), ...contentParts(entry, view));
}

function contentParts(entry, view) {
  return blocksOf(contentOf(entry)).map((block, index) => {
    if (block.type === "image") return picture(block);
    return block.text ? formatted(view[index], block.text) : null;
  });
}

function answer(entry, message, view) {
  const name = asLine(message.model ?? "") || "Assistant";
  return article(entry, "assistant", name, ...answerParts(message, view), footOf(message));
}

function answerParts(message, view) {
  const parts = blocksOf(message.content).map((block, index) => {
    if (block.type === "toolCall") return callCard(block, view[index], flow.results.get(block.id));
    if (block.type === "thinking") return thinking(block, view[index]);
    return block.type === "text" && String(block.text ?? "").trim() ? formatted(view[index], block.text) : null;
  });
  if (message.stopReason === "error") parts.push(make("p.problem", null, message.errorMessage || "The answer failed."));
  if (message.stopReason === "aborted") parts.push(make("p.problem", null, "Stopped."));
  if (message.stopReason === "length") parts.push(make("p.problem", null, "The answer was cut off: it was too long."));
  return parts;
}

function thinking(block, view) {
  const text = String(block.thinking ?? "").trim();
  if (!text) return null;
  const heading = [make("span.name", null, "Thinking"), make("span.title", { dir: "auto" }, asLine(text).slice(0, 120))];
  return folded("thinking", heading, () => [formatted(view, text)]);
}

function footOf(message) {
  const usage = message.usage ?? {};
  const sent = number(usage.input) + number(usage.cacheRead) + number(usage.cacheWrite);
  const facts = [
    sent ? `${shortCount(sent)} tokens in` : "",
    number(usage.output) ? `${shortCount(usage.output)} out` : "",
    number(usage.cost?.total) ? dollars(usage.cost.total) : "",
    number(message.durationMs) ? `${(message.durationMs / 1000).toFixed(1)} s` : "",
  ].filter(Boolean);
  return facts.length ? make("p.foot", null, facts.join(" · ")) : null;
}

function bashMessage(entry, view) {
  const message = entry.message;
  const hidden = message.excludeFromContext ? " (not told to the model)" : "";
  const failed = message.exitCode ? make("p.problem", null, `Exit status ${message.exitCode}`) : null;
  return article(entry, "bash", `$ ${asLine(message.command ?? "")}${hidden}`, grid(view[0], message.output ?? ""), failed);
}

function systemMessage(entry) {
  const sections = Object.entries(entry.message.sections ?? {});
  const names = sections.map(([name]) => asLine(name)).join(", ");
  const heading = [make("span.name", null, "System"), make("span.title", null, names)];
  const box = folded("system", heading, () => systemParts(entry.message, sections));
  return anchor(box, entry);
}

function systemParts(message, sections) {
  const tools = [
    ...(message.toolsAdded ?? []).map((tool) => `+ ${tool?.name}`),
    ...(message.toolsRemoved ?? []).map((tool) => `- ${tool?.name}`),
  ];
  return [
    message.content ? grid(null, message.content) : null,
    ...sections.flatMap(([name, text]) => [
      make("h6", null, asLine(name)),
      text === null ? make("p.note", null, "Taken away.") : grid(null, text),
    ]),
    ...(tools.length ? [make("h6", null, "Tools"), grid(null, tools.join("\n"))] : []),
  ];
}

function summary(entry, title, view) {
  const box = folded("summary", [make("span.name", null, title)], () => [formatted(view[0], entry.summary ?? "")]);
  return anchor(box, entry);
}
