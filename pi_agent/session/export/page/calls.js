// A tool call with its result: a row that opens.

const PREVIEW_LINES = 3;
const PREVIEW_CHARACTERS = 400;

// What stands in the row of a call: what it does, in a line.
function callTitle(name, args) {
  const path = typeof args?.path === "string" ? args.path : "";
  switch (name) {
    case "bash":
      return `$ ${asLine(args?.command ?? "")}`;
    case "read":
      return path + lineRange(args);
    case "write":
    case "edit":
      return path;
    default:
      return asLine(JSON.stringify(args ?? {})).slice(0, 200);
  }
}

function lineRange(args) {
  const first = number(args.offset) || 1;
  if (!args.offset && !args.limit) return "";
  return args.limit ? `:${first}-${first + number(args.limit) - 1}` : `:${first}`;
}

function callCard(call, argumentsView, entry) {
  const result = entry?.message;
  const state = !result ? "pending" : result.isError ? "failed" : "done";
  const preview = previewOf(result, call);
  const box = folded(
    `call.${state}`,
    [
      make("span.name", null, asLine(call.name)),
      make("span.title", { dir: "ltr" }, callTitle(call.name, call.arguments)),
      result && number(result.durationMs) >= 1000 ? make("span.time", null, `${(result.durationMs / 1000).toFixed(1)} s`) : null,
      state === "failed" ? make("span.state", null, "failed") : null,
      preview ? make("span.preview", null, preview) : null,
    ],
    () => [...argumentParts(call, argumentsView, result), ...resultParts(call, entry)],
  );
  if (entry) anchor(box, entry);
  return box;
}

function previewOf(result, call) {
  if (!result || (call.name === "edit" && !result.isError)) return "";
  const text = blocksOf(result.content).find((block) => block.type === "text")?.text;
  if (typeof text !== "string") return "";
  const lines = clean(text.slice(0, 4 * PREVIEW_CHARACTERS)).split("\n").filter((line) => line.trim()).slice(0, PREVIEW_LINES);
  return lines.join("\n").slice(0, PREVIEW_CHARACTERS);
}

function argumentParts(call, view, result) {
  const args = call.arguments ?? {};
  switch (call.name) {
    case "bash":
      return [grid(view, args.command ?? "")];
    case "write":
      return [grid(view, args.content ?? "")];
    case "edit":
      return [diffOf(result?.details?.diff, args)];
    case "read":
      return [];
    default:
      return [make("h6", null, "Arguments"), grid(null, JSON.stringify(args, null, 2))];
  }
}

function resultParts(call, entry) {
  if (!entry) return [make("p.note", null, "There is no result.")];
  // A change says it all by itself, and so does a file that was written.
  if (["edit", "write"].includes(call.name) && !entry.message.isError) return [];
  const view = session.views.get(entry.id) ?? [];
  const parts = blocksOf(entry.message.content).map((block, index) =>
    block.type === "image" ? picture(block) : grid(view[index], block.text ?? JSON.stringify(block, null, 2)),
  );
  return parts.length ? parts : [make("p.note", null, "Nothing came back.")];
}

// Changed lines: those of the file with their numbers, or those that were asked for.
function diffOf(diff, args) {
  const lines = typeof diff === "string" ? clean(diff).split("\n") : askedLines(args);
  const box = make("pre.code.diff", { tabindex: 0 });
  for (const line of lines) {
    const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "context";
    box.append(make(`span.${kind}`, null, line || " "), "\n");
  }
  return box;
}

function askedLines(args) {
  const edits = [...(Array.isArray(args.edits) ? args.edits : []), args];
  return edits.flatMap((edit) => [...signed("-", edit?.oldText), ...signed("+", edit?.newText)]);
}

function signed(sign, text) {
  return typeof text === "string" && text ? clean(text).split("\n").map((line) => sign + line) : [];
}
