const BLOCK = 512;

export interface TarEntry {
  readonly name: string;
  readonly size: number;
  readonly mode: number;
}

/**
 * The headers before a regular file's bytes in a tar archive: a ustar header (POSIX.1-1988), and if that cannot hold the
 * name or the size, an extended header before it (POSIX.1-2001, pax).
 */
export function tarHeader(entry: TarEntry): Buffer {
  const extended: string[] = [];
  if (Buffer.byteLength(entry.name) > 100 || /[^\x20-\x7e]/.test(entry.name)) extended.push(record("path", entry.name));
  if (entry.size >= 8 ** 11) extended.push(record("size", String(entry.size)));
  const header = block({ ...entry, size: Math.min(entry.size, 8 ** 11 - 1) }, "0");
  if (extended.length === 0) return header;
  const text = Buffer.from(extended.join(""));
  return Buffer.concat([
    block({ name: "pax/header", size: text.length, mode: 0o644 }, "x"),
    text,
    tarPadding(text.length),
    header,
  ]);
}

/** The padding of the last block of a file of this size. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

/** The end of an archive. */
export function tarEnd(): Buffer {
  return Buffer.alloc(2 * BLOCK);
}

/** `<length> <key>=<value>\n`, where the length counts its own digits. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = Buffer.byteLength(rest);
  while (String(length).length + Buffer.byteLength(rest) !== length)
    length = String(length).length + Buffer.byteLength(rest);
  return `${length}${rest}`;
}

function block({ name, size, mode }: TarEntry, type: string): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(Buffer.from(name).subarray(0, 100).toString("latin1"), 0, "latin1");
  header.write(octal(mode, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  // A fixed time: the same bundle always gives the same archive.
  header.write(octal(0, 11), 136);
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}
