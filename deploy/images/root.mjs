// @ts-check
// What all images have besides their own files: Node, its libraries, and the user's entry. Nothing else, so they contain no
// shell and no package manager.
//
// `node root.mjs FOLDER` writes it there, from the Node that runs it: the Dockerfiles do so in a stage of Node's image.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { libraries, withoutSymbols } from "./elf.mjs";

// Node contains the usual certificate authorities; NODE_EXTRA_CA_CERTS adds to them.
const TEXTS = {
  "etc/passwd": "root:x:0:0:root:/root:/sbin/nologin\nkindling:x:65532:65532:Kindling:/home/kindling:/sbin/nologin\n",
  "etc/group": "root:x:0:\nkindling:x:65532:\n",
  // Without it, the C library would not read /etc/hosts first, and a pod's hostAliases are there.
  "etc/nsswitch.conf": "hosts: files dns\n",
};

/** The libraries that a program on this machine needs. @param {string} program */
export function boundTo(program) {
  return libraries(execFileSync("ldd", [program], { encoding: "utf8" }));
}

/**
 * Files by their paths in the image, always in the same order.
 *
 * @param {string} node the program, on this machine
 * @returns {{ path: string, mode: number, data: Buffer }[]}
 */
export function rootFiles(node) {
  const programs = [
    { path: "usr/local/bin/node", mode: 0o755, data: withoutSymbols(readFileSync(node)) },
    ...boundTo(node).map((path) => ({ path: path.slice(1), mode: 0o755, data: readFileSync(path) })),
  ];
  const texts = Object.entries(TEXTS).map(([path, text]) => ({ path, mode: 0o644, data: Buffer.from(text) }));
  return [...programs, ...texts].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const folder = process.argv[2];
  if (folder === undefined) throw new Error("usage: root.mjs FOLDER");
  for (const { path, mode, data } of rootFiles(realpathSync(process.execPath))) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), data, { mode });
  }
}
