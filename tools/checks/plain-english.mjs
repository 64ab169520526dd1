// @ts-check
// Finds the most common patterns of unclear English in comments of sources and in Markdown pages. Each row of the table is a
// pattern and what to write instead. A pattern belongs here only if it gives almost no false alarms.
//
//   node tools/checks/plain-english.mjs [--count] [PATH…]
//
// Without a path it reads all files of the repository. With --count it prints how many findings each pattern has.
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { UNCLEAR_WORDS } from "./unclear-words.mjs";

/**
 * @typedef {{ line: number; words: string; advice: string }} Finding
 * @typedef {{ text: string; starts: [place: number, line: number][] }} Paragraph its text, and where its lines begin in it
 */

const SOURCE = /\.(?:ts|mts|cts|mjs|cjs|js)$/;
const OTHERS_TEXT = /(?:^|\/)(?:CODE_OF_CONDUCT|LICENSE|CHANGELOG)(?:\.md)?$/;
// Pages that programs write. Other generated pages say so in their first lines.
const GENERATED = /\.api\.md$|^benchmarks\/results\/|^packages\/[^/]+\/docs\/|^apps\/conformance\/CONFORMANCE\.md$/;

// Strings and templates are skipped, so that text in them is not taken for a comment.
const TOKEN =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/|\/\/.*|\/\*[\s\S]*?\*\//g;

/**
 * Unclear words of one file.
 *
 * @param {string} path relative to the repository's folder
 * @param {string} text
 * @returns {Finding[]} in the order of the file
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

/** @param {string} text */
function isGeneratedPage(text) {
  return /\bGenerated\s+(?:by|from)\s+(?:`|\[)/.test(text.split("\n").slice(0, 15).join("\n"));
}

/**
 * A source with everything except its comments blank. Each line that ends a paragraph is empty.
 *
 * @param {string} text
 */
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

/**
 * A page without its code, its quotes, and the generated text between two HTML comments.
 *
 * @param {string} text
 */
function pageLines(text) {
  let generated = false;
  const lines = text.split("\n").map((line) => {
    const mark = /^<!-- (end of )?.*-->$/.exec(line);
    if (mark) generated = mark[1] === undefined && text.includes("<!-- end of ");
    return generated || mark || line.startsWith(">") ? "" : line;
  });
  return withoutFences(lines).flatMap((line) => (/^\s*(?:#|\||[-*] |\d+\. )/.test(line) ? [`\n${line}`] : [line]));
}

/** @param {readonly string[]} lines */
function withoutFences(lines) {
  /** @type {string | undefined} */
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

/**
 * Joins lines that belong together. A line feed before a line begins a new text. Each cell of a table is a text too.
 *
 * @param {readonly string[]} lines
 */
function paragraphs(lines) {
  /** @type {Paragraph[]} */
  const found = [];
  /** @type {Paragraph | undefined} */
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

/**
 * @param {Paragraph} paragraph
 * @returns {Finding[]}
 */
function findingsOf({ text, starts }) {
  /** @param {string} words */
  const blank = (words) => "x".repeat(words.length);
  const prose = text
    .replace(/(`+)[^`]+\1/g, blank)
    .replace(/"[^"]{1,400}"|“[^”]{1,400}”/g, blank)
    .replace(/\]\([^)]*\)/g, (link) => "]".padEnd(link.length, "x"));
  return UNCLEAR_WORDS.flatMap(([pattern, advice]) =>
    [...prose.matchAll(pattern)].map(({ 0: words, index }) => ({
      line: starts.findLast(([start]) => start <= index)?.[1] ?? 1,
      words: shortened(text.slice(index, index + words.length)),
      advice,
    })),
  );
}

/** @param {string} words */
function shortened(words) {
  return words.length > 70 ? `${words.slice(0, 69)}…` : words;
}

/**
 * All sources and pages of a repository that are checked.
 *
 * @param {string} root
 * @returns {string[]} relative to `root`
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

/** @param {readonly string[]} args */
function main(args) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const named = args.filter((arg) => arg !== "--count").map((path) => relative(root, join(process.cwd(), path)));
  /** @param {string} path */
  const isNamed = (path) => named.some((name) => name === "" || path === name || path.startsWith(`${name}/`));
  const faults = plainEnglishFaults(
    root,
    checkedFiles(root).filter((path) => named.length === 0 || isNamed(path)),
  );
  if (faults.length > 0) process.exitCode = 1;
  if (!args.includes("--count")) process.stdout.write(faults.map((fault) => `${faultLine(fault)}\n`).join(""));
  else {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { advice } of faults) counts.set(advice, (counts.get(advice) ?? 0) + 1);
    for (const [advice, count] of [...counts].toSorted(([, a], [, b]) => b - a))
      process.stdout.write(`${count} ${advice}\n`);
  }
}

/**
 * One finding as a line.
 *
 * @param {Finding & { path: string }} finding
 */
export function faultLine({ path, line, words, advice }) {
  return `${path}:${line}: "${words}": ${advice}`;
}

/**
 * Unclear words of many files.
 *
 * @param {string} root
 * @param {readonly string[]} paths from the repository's folder
 */
export function plainEnglishFaults(root, paths) {
  return paths.flatMap((path) =>
    plainEnglish(path, readFileSync(join(root, path), "utf8")).map((finding) => ({ path, ...finding })),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
