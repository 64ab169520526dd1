/** A section, or a relation in braces: values by name, in the order of the file. */
export interface Krb5Section {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly sections: ReadonlyMap<string, Krb5Section>;
}

interface Building extends Krb5Section {
  readonly values: Map<string, string[]>;
  readonly sections: Map<string, Building>;
  /** Later values of these names are not used: an asterisk stands behind the name or the section. */
  readonly closed: Set<string>;
}

/** Where krb5.conf and what it includes are read. */
export interface Krb5Files {
  /** `undefined` if there is no such file. */
  readonly readText: (path: string) => string | undefined;
  /** The names in a folder, sorted; empty if there is none. */
  readonly list: (folder: string) => readonly string[];
}

// Files that include each other would not come to an end.
const DEEPEST = 10;

/**
 * Reads the files of a Kerberos configuration (MIT, krb5.conf, "Structure"). They are merged: of several values of a name,
 * those of the first file come first. Included files are read where they are named, also inside a section, and begin with
 * a section of their own. Lines that cannot be understood are skipped.
 */
export function parseKrb5Conf(paths: readonly string[], files: Krb5Files): Krb5Section {
  const root = emptySection();
  for (const path of paths) readInto(root, path, files, 0);
  return root;
}

function emptySection(): Building {
  return { values: new Map(), sections: new Map(), closed: new Set() };
}

function readInto(root: Building, path: string, files: Krb5Files, depth: number): void {
  const text = files.readText(path);
  if (text === undefined || depth > DEEPEST) return;
  /** The section of the line, and those around it. */
  let open: Building[] = [];
  for (const raw of text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/)) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    const include = /^(include|includedir)\s+(.+)$/.exec(line);
    if (include !== null) {
      for (const file of included(include[1] ?? "", include[2] ?? "", files)) readInto(root, file, files, depth + 1);
      continue;
    }
    const header = /^\[([^\]]*)\]\s*(\*?)$/.exec(line);
    if (header !== null) {
      open = [opened(root, (header[1] ?? "").trim(), header[2] === "*")];
      continue;
    }
    readRelation(line, open);
  }
}

function included(directive: string, path: string, { list }: Krb5Files): string[] {
  if (directive === "include") return [path];
  const folder = path.replace(/\/+$/, "");
  // Only such names count, so that packages may leave copies of older files beside them (MIT, krb5.conf).
  return list(folder)
    .filter((name) => /^[\w-]+$/.test(name) || (name.endsWith(".conf") && !name.startsWith(".")))
    .map((name) => `${folder}/${name}`);
}

/** A line inside a section: `name = value`, `name = {` or `}`. Also what stands behind a brace on the same line counts. */
function readRelation(line: string, open: Building[]): void {
  if (line.startsWith("}")) {
    if (open.length > 1) open.pop();
    const rest = line.replace(/^\}\s*\*?/, "").trim();
    if (rest !== "") readRelation(rest, open);
    return;
  }
  const section = open.at(-1);
  const relation = /^([^=]+?)\s*(\*?)\s*=\s*(.*)$/s.exec(line);
  if (section === undefined || relation === null) return;
  const [, name = "", isFinal, value = ""] = relation;
  if (value.startsWith("{")) {
    open.push(opened(section, name, false));
    const rest = value.slice(1).trim();
    if (rest !== "") readInBraces(rest, open);
    return;
  }
  addValue(section, name, unquoted(value), isFinal === "*");
}

/** A section on one line: `REALM = { kdc = a }`. */
function readInBraces(rest: string, open: Building[]): void {
  const end = rest.endsWith("}") ? rest.slice(0, -1).trim() : rest;
  if (end !== "") readRelation(end, open);
  if (rest.endsWith("}")) open.pop();
}

function opened(section: Building, name: string, isFinal: boolean): Building {
  if (section.closed.has(name)) return emptySection();
  const found = section.sections.get(name) ?? emptySection();
  section.sections.set(name, found);
  if (isFinal) section.closed.add(name);
  return found;
}

function addValue(section: Building, name: string, value: string, isFinal: boolean): void {
  if (section.closed.has(name)) return;
  const values = section.values.get(name) ?? [];
  values.push(value);
  section.values.set(name, values);
  if (isFinal) section.closed.add(name);
}

function unquoted(value: string): string {
  const quoted = /^"((?:\\.|[^"\\])*)"/s.exec(value);
  if (quoted === null) return value.trim();
  return (quoted[1] ?? "").replaceAll(/\\(.)/gs, (_, character: string) => ESCAPES[character] ?? character);
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", "0": "\0" };
