/** Properties of Hadoop. Values have no references to others any more. */
export interface HadoopConfiguration {
  get(name: string): string | undefined;
  /** A list with commas; empty if it is not set. */
  list(name: string): readonly string[];
  /** The properties whose names begin with this, by the rest of their names. */
  startingWith(prefix: string): readonly (readonly [string, string])[];
}

/** A configuration of properties; later values have been put over earlier ones. */
export function hadoopConfiguration(properties: ReadonlyMap<string, string>): HadoopConfiguration {
  const get = (name: string): string | undefined => {
    const value = properties.get(name);
    return value === undefined ? undefined : resolved(value, properties).trim();
  };
  return {
    get,
    list: (name) =>
      (get(name) ?? "")
        .split(",")
        .map((each) => each.trim())
        .filter((each) => each !== ""),
    startingWith: (prefix) =>
      [...properties.keys()]
        .filter((name) => name.startsWith(prefix))
        .map((name) => [name.slice(prefix.length), get(name) ?? ""] as const),
  };
}

// Hadoop, Configuration.MAX_SUBST.
const MOST_REFERENCES = 20;

/** Replaces `${name}` by the property of that name; an unknown one stays (Hadoop, Configuration.substituteVars). */
function resolved(value: string, properties: ReadonlyMap<string, string>): string {
  let text = value;
  for (let count = 0; count < MOST_REFERENCES; count++) {
    const next = text.replace(/\$\{([^{}$\s]+)\}/, (whole, name: string) => properties.get(name) ?? whole);
    if (next === text) return text;
    text = next;
  }
  return text;
}

/** Reads a file that another one includes; `undefined` if there is none. */
export type ReadIncluded = (path: string) => string | undefined;

// Files that include each other would not come to an end.
const DEEPEST = 10;

/**
 * The properties of one of Hadoop's XML files, in its order (Hadoop, Configuration.Parser). Not a reader of all XML: the
 * files have only elements, texts and comments.
 */
export function parseHadoopXml(text: string, included: ReadIncluded, depth: number = 0): Map<string, string> {
  const found = new Map<string, string>();
  const plain = text.replaceAll(/<!--.*?-->/gs, "");
  const parts = /<property\b[^>]*?(?:\/>|>(.*?)<\/property>)|<xi:include\b[^>]*?href\s*=\s*["']([^"']*)["'][^>]*>/gs;
  for (const [whole, inside = "", href] of plain.matchAll(parts)) {
    if (href !== undefined) {
      const other = depth < DEEPEST ? included(unescaped(href)) : undefined;
      for (const [name, value] of parseHadoopXml(other ?? "", included, depth + 1)) found.set(name, value);
      continue;
    }
    const name = element(inside, "name") ?? attribute(whole, "name");
    const value = element(inside, "value") ?? attribute(whole, "value");
    if (name !== undefined && value !== undefined) found.set(name.trim(), value);
  }
  return found;
}

function element(text: string, name: string): string | undefined {
  if (new RegExp(`<${name}\\s*/>`).test(text)) return "";
  const match = new RegExp(`<${name}\\s*>(.*?)</${name}\\s*>`, "s").exec(text);
  return match === null ? undefined : content(match[1] ?? "");
}

/** `<property name="…" value="…"/>`, which Hadoop reads since 2.8. */
function attribute(text: string, name: string): string | undefined {
  const tag = /^<property\b[^>]*>/.exec(text)?.[0] ?? "";
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return match === null ? undefined : unescaped(match[1] ?? match[2] ?? "");
}

function content(text: string): string {
  return text
    .split(/(<!\[CDATA\[.*?\]\]>)/gs)
    .map((part) => (part.startsWith("<![CDATA[") ? part.slice(9, -3) : unescaped(part)))
    .join("");
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, name) => {
    if (typeof name === "string") return ENTITIES[name] ?? whole;
    const code = typeof hex === "string" ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}
