// The conversation on one branch. It is made in parts: those in sight at once, the others when there is time.

const ENTRIES_A_PART = 50;
const PARTS_AT_ONCE = 3;
const LIKELY_ROW_HEIGHT = 60;

const flow = {
  box: document.getElementById("pi-flow"),
  parts: [],
  partOf: new Map(),
  results: new Map(),
  called: new Set(),
  isExpanded: false,
  idle: null,
};

const inSight = new IntersectionObserver(
  (changes) => {
    const boxes = new Set(changes.filter((change) => change.isIntersecting).map((change) => change.target));
    flow.parts.filter((part) => boxes.has(part.box)).forEach(settle);
  },
  { rootMargin: "100% 0px" },
);

function drawFlow(path) {
  anchors.clear();
  flow.partOf.clear();
  flow.results = new Map(path.filter(isResult).map((entry) => [entry.message.toolCallId, entry]));
  flow.called = new Set(path.flatMap(callsOf).map((call) => call.id));
  flow.parts = [];
  for (let start = 0; start < path.length; start += ENTRIES_A_PART) addPart(path.slice(start, start + ENTRIES_A_PART));
  flow.box.replaceChildren(...flow.parts.map((part) => part.box));
  inSight.disconnect();
  flow.parts.forEach((part) => inSight.observe(part.box));
  flow.parts.slice(0, PARTS_AT_ONCE).forEach(settle);
  settleRest();
}

function isResult(entry) {
  return roleOf(entry) === "toolResult";
}

function addPart(entries) {
  const part = { entries, box: make("section", null), isMade: false, isExpanded: false };
  part.box.style.minHeight = `${entries.length * LIKELY_ROW_HEIGHT}px`;
  for (const entry of entries) {
    if (!flow.partOf.has(entry.id)) flow.partOf.set(entry.id, part);
    // A result stands where it was called for.
    for (const call of callsOf(entry)) {
      const result = flow.results.get(call.id);
      if (result) flow.partOf.set(result.id, part);
    }
  }
  flow.parts.push(part);
}

// Make a part if it is not there yet, and have what opens in it as it should be.
function settle(part) {
  if (!part.isMade) {
    part.isMade = true;
    part.box.replaceChildren(...part.entries.map(messageOf).filter(Boolean));
    part.box.style.minHeight = "";
  }
  if (part.isExpanded === flow.isExpanded) return;
  part.isExpanded = flow.isExpanded;
  for (const box of part.box.querySelectorAll("details")) {
    if (part.isExpanded) box.fill();
    else box.open = false;
  }
}

function settleRest() {
  if (flow.idle !== null) return;
  const later = window.requestIdleCallback ?? ((work) => setTimeout(work, 30));
  flow.idle = later(() => {
    flow.idle = null;
    const next = flow.parts.find((part) => !part.isMade || part.isExpanded !== flow.isExpanded);
    if (!next) return;
    settle(next);
    settleRest();
  });
}

function setExpanded(isExpanded) {
  flow.isExpanded = isExpanded;
  flow.parts.filter((part) => isNear(part.box)).forEach(settle);
  settleRest();
}

function isNear(box) {
  const { top, bottom } = box.getBoundingClientRect();
  return bottom > -innerHeight && top < 2 * innerHeight;
}

// Where an entry is shown, or the last one before it on its branch that is.
function shownAt(id) {
  for (const entry of pathTo(id).reverse()) {
    const part = flow.partOf.get(entry.id);
    if (part) settle(part);
    if (anchors.has(entry.id)) return anchors.get(entry.id);
  }
  return null;
}

// The message after the one at the top of the window, or the one before.
function neighbour(by) {
  const at = flow.parts.findIndex((part) => part.box.getBoundingClientRect().bottom > 80);
  const part = flow.parts[at];
  if (!part) return flow.parts.at(-1)?.box.lastElementChild;
  const blocks = [...part.box.children];
  const next = blocks.findIndex((block) => block.getBoundingClientRect().bottom > 80) + by;
  if (blocks[next]) return blocks[next];
  const other = flow.parts[at + by];
  if (other) settle(other);
  return by > 0 ? other?.box.firstElementChild : other?.box.lastElementChild;
}

window.addEventListener("beforeprint", () => flow.parts.forEach(settle));
