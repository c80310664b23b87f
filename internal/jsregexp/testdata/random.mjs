// Writes random.json: expressions put together at random, texts, and what JavaScript says of them. Run with Node.js 20
// (`node random.mjs > random.json`); the tests read the file and need no node. Another seed and number make a longer check:
// `node random.mjs 7 50000 > /tmp/r.json` and HOOKBRIDGE_RANDOM=/tmp/r.json go test -run Random ./internal/jsregexp
let seed = Number(process.argv[2] || 1);
const rows = Number(process.argv[3] || 700);
const upTo = (n) => { seed = (seed * 1103515245 + 12345) & 0x7fffffff; return (seed >> 8) % n; };
const one = (list) => list[upTo(list.length)];
const units = ["a", "b", "a", "b", "c", "_", " ", "1", "é", "😀", "\\n", "-", ":", "x", "A", "K"];
const classes = ["[ab]", "[^a]", "[]", "[^]", "[a-c]", "[\\d-z]", "[^\\W]", "[\\s\\S]", "[😀]", "[\\b]", "[-a]", "[a-]", "[^\\s]", "[\\w-]"];
const groups = ["(?:", "(", "(", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", "(?<m>"];
const others = ["\\1", "\\2", "\\3", "\\k<n>", "\\k", "^", "$", "\\b", "\\B", ".", "\\w", "\\d", "\\s", "\\S", "\\W", "\\D",
  "\\x61", "\\u0061", "\\cA", "\\0", "\\07", "\\e", "{", "}", "]", "\\c", "{1", "a{,2}"];
const counts = ["*", "+", "?", "{2}", "{0,1}", "{1,2}", "{1,}", "{0}", "{2,3}", "{0,0}"];

function atom(depth) {
  const kind = upTo(10);
  if (depth > 0 && kind < 5) return one(groups) + choice(depth - 1) + ")";
  if (kind < 7) return one(units);
  return one(kind < 8 ? classes : others);
}
function term(depth) {
  const a = atom(depth);
  return upTo(10) < 4 ? a + one(counts) + (upTo(4) ? "" : "?") : a;
}
function choice(depth) {
  let s = "";
  for (let n = 1 + upTo(3); n > 0; n--) s += term(depth);
  return upTo(4) ? s : s + "|" + (upTo(4) ? term(depth) : "");
}
function text() {
  let s = "";
  for (let n = upTo(9); n > 0; n--) s += one([...units.filter((u) => u.length < 3 && u[0] !== "\\"), "\n", "aa", "ab", "a{,2}", "\u0001"]);
  return s;
}

const lines = [];
while (lines.length < rows) {
  const pattern = choice(3);
  if (pattern.length > 60) continue;
  let re = null;
  try {
    re = new RegExp(pattern);
  } catch {
    if (upTo(3)) continue; // refused ones are many
  }
  const yes = [], no = [];
  for (let i = 0; re && i < 5; i++) {
    const t = text();
    (re.test(t) ? yes : no).push(t);
  }
  lines.push(JSON.stringify({ pattern, invalid: re === null, yes, no }));
}
console.log("[\n" + lines.join(",\n") + "\n]");
