// Finds the commonest patterns of unclear English in comments of sources and in Markdown pages. Each row of the table is a
// pattern and what to write instead. A pattern belongs here only if it gives almost no false alarms.
//
//   node tools/checks/plain-english.mjs [--count] [PATH…]
//
// Without a path it reads all files of the repository. With --count it prints how many findings each pattern has.
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

// A sentence begins at the beginning of a text, or behind the end of another sentence.
const BEGIN = String.raw`(?:^|(?<=[.:;!?)] ))`;
const BE_OR_DO = "(?:is|are|was|were|does|do|did|has|have|had|can|cannot|may|must|will|would)";

// "What cannot be read means no.": a verb of the clause, no word that begins another clause, and then the sentence's verb.
const NO_CLAUSE = String.raw`(?:(?!\b(?:that|who|which|where|when|while|if|whether|whose|what|how|why|and|or|but|because|since|than|as|before|after|until|once|unless|though)\b)[^.,:;?!()])*?`;
const CLAUSE_VERB = `(?:${BE_OR_DO}|needs|wants|asks|asked|says|said|gives|gave|makes|made|stands|comes|came|goes|went|belongs|knows|knew|holds|reads|writes|waits|fails|runs|ran|differs|depends|begins|ends|ended|takes|took|tells|told|keeps|kept|finds|found|shows|sends|sent|gets|got|remains|happens|happened|looks|follows|throws|owns|sets|uses|ask for|creates|created|adds|added|brings|brought|leaves|lacks|allows|allowed|serves|served|puts|sees|returns|refuses)`;
const AUXILIARY = String.raw`(?<!\b(?:may|can|cannot|must|will|would|could|should|to|not|has|have|had|that) )`;
const SENTENCE_VERB = String.raw`(?:is|are|was|were|means|stays|counts|goes|comes|becomes|remains|stands|belongs|gets|fails|must|cannot|can|may|will|has)\b(?! (?:been|to be)\b)`;

/** Pattern and advice. What stands in backquotes or between double quotes has been taken out of the text before. */
const PATTERNS = [
  [/\bshall\b/gi, 'write "must", "will" or "is to"'],
  [/\blest\b/gi, 'write "so that … not"'],
  [/\bthere(?:of|in|to|upon|unto|from|with)\b/gi, 'name the thing: "of the pod", "in the file"'],
  [/\b(?:hence|thence|whence|thus)\b/gi, 'write "so" or "therefore"'],
  [/\bwhere(?:of|in|by|upon|to|from|with)\b/gi, 'write "in which", "by which", or two sentences'],
  [
    /\b(?:here(?:in|by|tofore|upon)|hitherto|henceforth|forthwith)\b/gi,
    'write "here", "until now", "from now on" or "at once"',
  ],
  [/\b(?:albeit|notwithstanding|nevertheless|nonetheless)\b/gi, 'write "although", "but" or "still"'],
  [/\b(?:upon|amongst|whilst|unto|nought|naught)\b/gi, 'write "on", "among", "while", "to" or "nothing"'],
  [/\bin (?:its|his|her|their|whose) stead\b/gi, 'write "instead of it"'],
  [/\bto be had\b/gi, 'write "available", or who can get it'],
  [/\bfor (?:[\w’-]+ ){0,2}[\w’'-]+ sake\b(?! of)/gi, 'write "because of …" or "so that …"'],
  [/, be it\b/gi, 'write "also if it is"'],
  [/\bsave (?:for|that)\b/gi, 'write "except"'],
  [/\bas (?:much|many) as (?:is|are|was|were|fits?|goes)\b/gi, 'write "all that …", or the amount'],
  [/\b(?:whoever|whomever|whosoever)\b/gi, 'name who it is: "the user who …", "a program that …", "anyone who …"'],
  [/\bwhom(?= [\w`])/gi, 'make a second sentence, or use "who"'],
  [/\bthat which\b/gi, "name the thing"],
  [
    /(?<!\b(?:each|every|some|all|most|many|one|none|both|any|either|neither|two|three|half|part|because) |\bwhich [\w’'-]+ )\bof which\b/gi,
    "make a second sentence that names the thing",
  ],
  [/\bwithout which\b/gi, "make a second sentence that names the thing"],
  [new RegExp(String.raw`${BEGIN}Of (?:what|whatever)\b`, "g"), "begin with the subject and its verb"],
  [/\bwhat (?:nobody|nothing|none|no one|no)\b/gi, "name the thing, and say what is so"],
  [/\b(?:not|never|nothing|nobody|none) without\b/gi, 'say it positively: "only with …"'],
  [
    /\b(?:none|nothing|nobody|no one) (?:that|who|which) (?:is|are|does|do|did|has|have|had|can|was|were|will) not\b/gi,
    'say it positively: "all …", "everything …"',
  ],
  [
    /\bno [\w’'-]+ (?:that|who|which) (?:is|are|does|do|did|has|have|had|can|was|were|will) not\b/gi,
    'say it positively: "every …"',
  ],
  [
    /\b(?:all|none|nothing|nobody|no one|nowhere|anything|anybody|anyone|anywhere|everything|everybody|everyone|everywhere)(?: else)? but\b/gi,
    'write "only …" or "… except …"',
  ],
  [
    /\bno (?!longer\b|more\b|doubt\b)(?:[\w’'-]+ ){1,2}but (?=(?:a|an|the|those|that|its|their|one|what|here|there|this|to|by|in|from)\b)/gi,
    'write "only …", "… except …" or "It is …, not …"',
  ],
  [/(?<!\b(?:not|n't|only|no|never|nothing)\b[^.;]*)\bbut for\b/gi, 'write "except" or "without"'],
  [
    new RegExp(
      String.raw`${BEGIN}(?:Gone|Left|Kept|Lost|Missing|Told|Shown|Counted|Compared|Meant|Not \w+) (?:is|are)\b`,
      "g",
    ),
    "begin with the subject",
  ],
  [
    new RegExp(String.raw`${BEGIN}(?:Only (?:then|so|there|here|thus|now)|Neither|Nor|So) ${BE_OR_DO}\b`, "g"),
    "subject, verb, object: put the subject before the verb",
  ],
  [new RegExp(String.raw`\bnor (?:${BE_OR_DO}|needs?)\b`, "g"), 'write "and it does not …"'],
  [
    new RegExp(
      String.raw`[,;] as (?:is|are|was|were|does|do|did|has|have|had|can|may) (?=(?:an?|the|its|their|those|all|any|every|each|other|anything|everything|what|[A-Z]))`,
      "g",
    ),
    'put the subject before the verb: "as … does"',
  ],
  [
    new RegExp(
      String.raw`${BEGIN}What(?:ever)? ${NO_CLAUSE}\b${CLAUSE_VERB} ${NO_CLAUSE}${AUXILIARY}\b${SENTENCE_VERB}(?=[^.?!]*(?:[.!:;]|$))`,
      "g",
    ),
    'name the thing: not "What cannot be read means no." but "If it cannot be read, the answer is no."',
  ],
];

const SOURCE = /\.(?:ts|mts|cts|mjs|cjs|js)$/;
const OTHERS_TEXT = /(?:^|\/)(?:CODE_OF_CONDUCT|LICENSE|CHANGELOG)(?:\.md)?$/;
// Pages that programs write; others say so in their first lines.
const GENERATED = /\.api\.md$|^benchmarks\/results\/|^packages\/[^/]+\/docs\/|^apps\/conformance\/CONFORMANCE\.md$/;

// Strings and templates are passed over, so that what looks like a comment in them is none.
const TOKEN =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/|\/\/.*|\/\*[\s\S]*?\*\//g;

/**
 * Unclear words of one file.
 *
 * @param {string} path where it is, from the repository's folder
 * @param {string} text
 * @returns {{ line: number; words: string; advice: string }[]} in the order of the file
 */
export function plainEnglish(path, text) {
  if (OTHERS_TEXT.test(path) || GENERATED.test(path)) return [];
  const isSource = SOURCE.test(path);
  if (!isSource && (!path.endsWith(".md") || isGeneratedPage(text))) return [];
  const lines = isSource ? commentLines(text) : pageLines(text);
  return paragraphs(lines)
    .flatMap(findingsOf)
    .toSorted((a, b) => a.line - b.line);
}

function isGeneratedPage(text) {
  return /\bGenerated\s+(?:by|from)\s+(?:`|\[)/.test(text.split("\n").slice(0, 15).join("\n"));
}

/** A source with everything blank that is no comment. Each line that ends a paragraph is empty. */
function commentLines(text) {
  const lines = text.split("\n").map(() => "");
  let line = 0;
  let seen = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    line += text.slice(seen, index).split("\n").length - 1;
    seen = index;
    if (token.startsWith("//")) {
      const alone = /(?:^|\n)[^\S\n]*$/.test(text.slice(0, index));
      lines[line] = alone ? ` ${token.slice(2)}` : `\n${token.slice(2)}`;
    } else if (token.startsWith("/*")) {
      const parts = token.slice(0, -"*/".length).split("\n");
      for (const [at, part] of parts.entries()) lines[line + at] = part.replace(/^\s*(?:\/\*+|\*)/, " ");
    }
  }
  return withoutFences(lines.map((words) => words.replace(/^(\s*)@\w+(?: \{[^}]*\})?/, "\n$1")));
}

/** A page without its code, its quotes and what a program has written between two comments. */
function pageLines(text) {
  let generated = false;
  const lines = text.split("\n").map((line) => {
    const mark = /^<!-- (end of )?.*-->$/.exec(line);
    if (mark) generated = mark[1] === undefined && text.includes("<!-- end of ");
    return generated || mark || line.startsWith(">") ? "" : line;
  });
  return withoutFences(lines).flatMap((line) => (/^\s*(?:#|\||[-*] |\d+\. )/.test(line) ? [`\n${line}`] : [line]));
}

function withoutFences(lines) {
  let fence;
  return lines.map((line) => {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark === fence) {
      fence = undefined;
      return "";
    }
    return fence === undefined ? line : "";
  });
}

/** Texts of lines that belong together. A line feed before a line begins a new text; so does each cell of a table. */
function paragraphs(lines) {
  const found = [];
  let current;
  for (const [at, raw] of lines.entries()) {
    const line = raw.trim();
    if (line === "" || raw.startsWith("\n")) current = undefined;
    if (line === "") continue;
    if (line.startsWith("|")) {
      for (const cell of line.split("|")) found.push({ text: cell.trim(), starts: [[0, at + 1]] });
      continue;
    }
    const words = line.replace(/^(?:#+|[-*]|\d+\.) /, "");
    if (current === undefined) found.push((current = { text: words, starts: [[0, at + 1]] }));
    else {
      current.starts.push([current.text.length + 1, at + 1]);
      current.text += ` ${words}`;
    }
  }
  return found;
}

function findingsOf({ text, starts }) {
  const blank = (words) => "x".repeat(words.length);
  const prose = text
    .replace(/(`+)[^`]+\1/g, blank)
    .replace(/"[^"]{1,400}"|“[^”]{1,400}”/g, blank)
    .replace(/\]\([^)]*\)/g, (link) => "]".padEnd(link.length, "x"));
  return PATTERNS.flatMap(([pattern, advice]) =>
    [...prose.matchAll(pattern)].map(({ 0: words, index }) => ({
      line: starts.findLast(([start]) => start <= index)[1],
      words: shortened(text.slice(index, index + words.length)),
      advice,
    })),
  );
}

function shortened(words) {
  return words.length > 70 ? `${words.slice(0, 69)}…` : words;
}

/**
 * All sources and pages of a repository that are checked.
 *
 * @param {string} root
 * @returns {string[]} from there
 */
export function checkedFiles(root) {
  const args = [
    "ls-files",
    "--cached",
    "--others",
    "--exclude-standard",
    "-z",
    "--",
    "*.md",
    "*.ts",
    "*.mts",
    "*.cts",
    "*.mjs",
    "*.cjs",
    "*.js",
  ];
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 }).split("\0");
  return listed.filter((path) => path !== "" && statSync(join(root, path), { throwIfNoEntry: false })?.isFile());
}

function main(args) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const named = args.filter((arg) => arg !== "--count").map((path) => relative(root, join(process.cwd(), path)));
  const isNamed = (path) => named.some((name) => name === "" || path === name || path.startsWith(`${name}/`));
  const faults = plainEnglishFaults(
    root,
    checkedFiles(root).filter((path) => named.length === 0 || isNamed(path)),
  );
  if (faults.length > 0) process.exitCode = 1;
  if (!args.includes("--count")) process.stdout.write(faults.map((fault) => `${faultLine(fault)}\n`).join(""));
  else {
    const counts = new Map();
    for (const { advice } of faults) counts.set(advice, (counts.get(advice) ?? 0) + 1);
    for (const [advice, count] of [...counts].toSorted(([, a], [, b]) => b - a))
      process.stdout.write(`${count} ${advice}\n`);
  }
}

/** One finding as a line. */
export function faultLine({ path, line, words, advice }) {
  return `${path}:${line}: "${words}": ${advice}`;
}

/** Unclear words of many files, whose paths are from the repository's folder. */
export function plainEnglishFaults(root, paths) {
  return paths.flatMap((path) =>
    plainEnglish(path, readFileSync(join(root, path), "utf8")).map((finding) => ({ path, ...finding })),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
