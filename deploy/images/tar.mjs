// @ts-check
// Tar archives (ustar) that are the same for the same content: without times and users' names.

const BLOCK = 512;

/**
 * @typedef {object} Entry
 * @property {string} path without a slash in front
 * @property {number} [mode]
 * @property {number} [owner] of user and group; root by default
 * @property {Buffer} [data] without it, the entry is a folder
 */

/** @param {Entry} entry */
function header({ path, mode, owner = 0, data }) {
  const isFolder = data === undefined;
  const block = Buffer.alloc(BLOCK);
  const name = isFolder ? `${path}/` : path;
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long a path`);
  /** @type {(value: number, at: number, width: number) => void} */
  const octal = (value, at, width) => void block.write(`${value.toString(8).padStart(width - 1, "0")}\0`, at);
  block.write(name, 0);
  octal(mode ?? (isFolder ? 0o755 : 0o644), 100, 8);
  octal(owner, 108, 8);
  octal(owner, 116, 8);
  octal(data?.length ?? 0, 124, 12);
  octal(0, 136, 12);
  block.write("        ", 148);
  block.write(isFolder ? "5" : "0", 156);
  block.write("ustar\u{0}00", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

/** Folders that a path is in, outermost first. @param {string} path */
function folders(path) {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

/**
 * An archive of these entries, each after the folders that it is in.
 *
 * @param {readonly Entry[]} entries
 */
export function tar(entries) {
  const known = new Set(entries.filter(({ data }) => data === undefined).map(({ path }) => path));
  /** @type {Buffer[]} */
  const parts = [];
  for (const entry of entries) {
    for (const path of folders(entry.path).filter((folder) => !known.has(folder))) {
      known.add(path);
      parts.push(header({ path }));
    }
    const { data = Buffer.alloc(0) } = entry;
    parts.push(header(entry), data, Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK));
  }
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}
