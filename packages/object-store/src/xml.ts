/** S3's XML answers are flat, generated, and known. These few lines read the needed parts. */

/** The contents of all elements of a name, in order; nested elements of the same name are not supported, and not needed. */
export function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, "g"))].map(
    ([, content]) => content ?? "",
  );
}

/** The text of the first element of a name. */
export function textOf(xml: string, name: string): string | undefined {
  const [content] = elements(xml, name);
  return content === undefined ? undefined : unescape(content);
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescape(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
      return ENTITIES[name ?? ""] ?? whole;
    },
  );
}

export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (character) => {
    const [name] = Object.entries(ENTITIES).find(([, value]) => value === character) ?? ["amp"];
    return `&${name};`;
  });
}
