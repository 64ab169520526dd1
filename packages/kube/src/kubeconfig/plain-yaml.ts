/** Thrown if a text is outside the supported subset. */
class Beyond extends Error {}

interface Line {
  readonly indent: number;
  readonly text: string;
}

type Mapping = Record<string, unknown>;

const KEY = /^([A-Za-z_][\w./-]*):(?: +|$)/;
/** Words that YAML reads as something other than text, in any of its versions. */
const SPECIAL = /^(?:null|true|false|yes|no|on|off|y|n)$/i;
/** Text that begins like a name, an absolute path or a long option, so it is not a number, a date or a YAML indicator. */
const PLAIN = /^(?:[A-Za-z_/]|--[A-Za-z])[\x21-\x7e]*(?: [\x21-\x7e]+)*$/;
const FLOW_PLAIN = /[A-Za-z_/][\w/.+=-]*/y;
const QUOTED = /"([^"\\]*)"|'([^']*)'/y;

/**
 * Reads the YAML that kubectl and installers write: block and one-line flow collections of plain or simply quoted text.
 * Undefined for all other text, valid or not: then the full parser reads it. Loading the full parser costs a command about
 * fifteen milliseconds. This parser's results are always the same as those of the full one.
 */
export function parsePlainYaml(text: string): unknown {
  const unix = text.replaceAll("\r\n", "\n");
  if (/[^\x20-\x7e\n]/.test(unix)) return undefined;
  try {
    const lines = significantLines(unix);
    const [first] = lines;
    if (first === undefined) return undefined;
    const [value, end] = block(lines, 0, first.indent);
    return end === lines.length ? value : undefined;
  } catch (error) {
    if (error instanceof Beyond) return undefined;
    throw error;
  }
}

function significantLines(text: string): Line[] {
  const lines: Line[] = [];
  for (const raw of text.split("\n")) {
    const line = raw.trimEnd();
    const content = line.trimStart();
    if (content !== "" && !content.startsWith("#")) lines.push({ indent: line.length - content.length, text: content });
  }
  return lines;
}

/** The collection whose lines begin at `start`, and the index after its last line. */
function block(lines: Line[], start: number, indent: number): [value: unknown, end: number] {
  return isItem(lines[start]) ? sequence(lines, start, indent) : mapping(lines, start, indent);
}

function isItem(line: Line | undefined): boolean {
  return line?.text.startsWith("- ") === true;
}

function sequence(lines: Line[], start: number, indent: number): [value: unknown[], end: number] {
  const items: unknown[] = [];
  let at = start;
  for (let line = lines[at]; line?.indent === indent && isItem(line); line = lines[at]) {
    const content = line.text.slice(1).trimStart();
    if (KEY.test(content)) {
      // The item's first field is on the line of the dash; the others are below it.
      const inner = indent + line.text.length - content.length;
      lines[at] = { indent: inner, text: content };
      const [item, end] = mapping(lines, at, inner);
      items.push(item);
      at = end;
    } else {
      items.push(scalar(content));
      at++;
    }
    mustNotBeDeeper(lines[at], indent);
  }
  return [items, at];
}

function mapping(lines: Line[], start: number, indent: number): [value: Mapping, end: number] {
  const fields: Mapping = {};
  let at = start;
  for (let line = lines[at]; line?.indent === indent && !isItem(line); line = lines[at]) {
    const match = KEY.exec(line.text);
    if (match === null) throw new Beyond();
    const rest = line.text.slice(match[0].length);
    let value: unknown;
    [value, at] = rest === "" ? nested(lines, at + 1, indent) : [scalar(rest), at + 1];
    setField(fields, match[1] ?? "", value);
    mustNotBeDeeper(lines[at], indent);
  }
  return [fields, at];
}

/** The value of a key that has no value on its own line. */
function nested(lines: Line[], at: number, indent: number): [value: unknown, end: number] {
  const next = lines[at];
  if (next === undefined || next.indent < indent) return [null, at];
  // A list may have the same indentation as its key.
  if (next.indent === indent) return isItem(next) ? sequence(lines, at, indent) : [null, at];
  return block(lines, at, next.indent);
}

/** A deeper line would continue the value that was just read. */
function mustNotBeDeeper(line: Line | undefined, indent: number): void {
  if (line !== undefined && line.indent > indent) throw new Beyond();
}

function setField(fields: Mapping, key: string, value: unknown): void {
  // The full parser reports a duplicate key; and `__proto__` must not become a key.
  if (SPECIAL.test(key) || key === "__proto__" || Object.hasOwn(fields, key)) throw new Beyond();
  fields[key] = value;
}

function scalar(text: string): unknown {
  if (/^["'[{]/.test(text)) {
    const [value, end] = flow(text, 0);
    if (end !== text.length) throw new Beyond();
    return value;
  }
  if (!PLAIN.test(text) || / #|: |:$/.test(text)) throw new Beyond();
  return word(text);
}

function word(text: string): unknown {
  if (text === "true") return true;
  if (text === "false") return false;
  if (SPECIAL.test(text)) throw new Beyond();
  return text;
}

/** A quoted text, a flow collection or a plain word inside one. */
function flow(text: string, at: number): [value: unknown, end: number] {
  const first = text[at];
  if (first === "{") return flowMapping(text, at + 1);
  if (first === "[") return flowSequence(text, at + 1);
  const pattern = first === '"' || first === "'" ? QUOTED : FLOW_PLAIN;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) throw new Beyond();
  const value = pattern === QUOTED ? (match[1] ?? match[2]) : word(match[0]);
  return [value, at + match[0].length];
}

function flowSequence(text: string, start: number): [value: unknown[], end: number] {
  const items: unknown[] = [];
  let at = start;
  if (text[at] === "]") return [items, at + 1];
  for (;;) {
    const [item, end] = flow(text, at);
    items.push(item);
    if (text[end] === "]") return [items, end + 1];
    at = afterComma(text, end);
  }
}

function flowMapping(text: string, start: number): [value: Mapping, end: number] {
  const fields: Mapping = {};
  let at = start;
  if (text[at] === "}") return [fields, at + 1];
  for (;;) {
    FLOW_PLAIN.lastIndex = at;
    const key = FLOW_PLAIN.exec(text)?.[0] ?? "";
    const colon = at + key.length;
    if (key === "" || text.slice(colon, colon + 2) !== ": ") throw new Beyond();
    const [value, end] = flow(text, colon + 2);
    setField(fields, key, value);
    if (text[end] === "}") return [fields, end + 1];
    at = afterComma(text, end);
  }
}

function afterComma(text: string, at: number): number {
  if (text.slice(at, at + 2) !== ", ") throw new Beyond();
  return at + 2;
}
