/** The fields of a JSON text as it has them, which `JSON.parse` forgets. */
export interface FieldOrder {
  /** All paths, such as `spec.containers[0].image`, in the order of the text. */
  readonly paths: readonly string[];
  /** Paths whose key occurs more than once in its object. */
  readonly duplicates: readonly string[];
}

/** Reads the fields of a JSON text, which must be valid. */
export function fieldOrder(text: string): FieldOrder {
  const paths: string[] = [];
  const duplicates: string[] = [];
  let at = 0;

  function skipSpace(): void {
    while (" \t\r\n".includes(text.charAt(at)) && at < text.length) at += 1;
  }

  function readString(): string {
    const start = at;
    at += 1;
    while (text.charAt(at) !== '"') at += text.charAt(at) === "\\" ? 2 : 1;
    at += 1;
    return JSON.parse(text.slice(start, at)) as string;
  }

  function readValue(path: string): void {
    skipSpace();
    const first = text.charAt(at);
    if (first === "{") readObject(path);
    else if (first === "[") readArray(path);
    else if (first === '"') readString();
    else while (at < text.length && !",]} \t\r\n".includes(text.charAt(at))) at += 1;
    skipSpace();
  }

  function readObject(path: string): void {
    const seen = new Set<string>();
    at += 1;
    skipSpace();
    while (text.charAt(at) === '"') {
      const key = readString();
      const keyPath = path === "" ? key : `${path}.${key}`;
      if (seen.has(key)) duplicates.push(keyPath);
      paths.push(keyPath);
      seen.add(key);
      skipSpace();
      at += 1;
      readValue(keyPath);
      if (text.charAt(at) === ",") at += 1;
      skipSpace();
    }
    at += 1;
  }

  function readArray(path: string): void {
    at += 1;
    skipSpace();
    for (let index = 0; at < text.length && text.charAt(at) !== "]"; index += 1) {
      readValue(`${path}[${index}]`);
      if (text.charAt(at) === ",") at += 1;
      skipSpace();
    }
    at += 1;
  }

  readValue("");
  return { paths, duplicates };
}
