// Text, pictures and figures, as they stand in messages.

// Files may be changed by hand: what has another form than it should costs its own place only.
const DAMAGED = "This is damaged and cannot be shown.";
const PICTURE_TYPE = /^image\/(png|jpeg|gif|webp|avif|bmp)$/i;
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const BASE64 = /^[A-Za-z0-9+/=\s]*$/;

// Formatted text where there is a view of it, else the text itself.
function formatted(view, text) {
  if (!view) return make("div.text.plain", { dir: "auto" }, text);
  const box = make("div.text", { dir: "auto" });
  for (const node of view) box.append(show(node));
  return box;
}

// Text in a fixed grid: code, output of programs.
function grid(view, text) {
  const box = make("pre.code", { tabindex: 0 });
  if (view) for (const node of view) box.append(show(node));
  else box.append(clean(text));
  return box;
}

function picture(block) {
  const data = block.data ?? block.source?.data;
  const type = block.mimeType ?? block.source?.mediaType ?? "";
  if (typeof data !== "string" || !PICTURE_TYPE.test(type) || !BASE64.test(data)) {
    return make("p.note", null, `A picture that cannot be shown (${asLine(type) || "of no known kind"}).`);
  }
  return make("img.picture", { src: `data:${type};base64,${data.replace(/\s/g, "")}`, alt: "Picture", loading: "lazy" });
}

// A part that opens; `fill` makes what is in it, when it is first opened.
function folded(name, summary, fill) {
  const box = make(`details.${name}`, null, make("summary", null, ...summary));
  const open = () => {
    if (!box.open || box.childElementCount > 1) return;
    box.append(make("div.body", null, ...filled(fill)));
  };
  box.addEventListener("toggle", open);
  box.fill = () => {
    box.open = true;
    open();
  };
  return box;
}

function filled(fill) {
  try {
    return fill();
  } catch {
    return [make("p.note", null, DAMAGED)];
  }
}

function count(amount, what) {
  return `${amount.toLocaleString("en")} ${what}${amount === 1 ? "" : "s"}`;
}

function shortCount(amount) {
  if (amount < 1000) return String(amount);
  return amount < 1e6 ? `${(amount / 1e3).toFixed(amount < 1e4 ? 1 : 0)}k` : `${(amount / 1e6).toFixed(1)}M`;
}

function dollars(amount) {
  return `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`;
}

function moment(timestamp) {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return null;
  return make("time", { datetime: date.toISOString(), title: date.toISOString() }, MOMENT.format(date));
}
