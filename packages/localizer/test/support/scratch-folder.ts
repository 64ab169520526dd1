import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

export interface ScratchFolder {
  readonly path: string;
  /** The path of a file or folder in it. */
  at(name: string): string;
  /** Writes a file, with its folders; returns its path. */
  write(name: string, content: string | Uint8Array, mode?: number): string;
  mkdir(name: string): string;
  /** Everything in a folder of it. */
  tree(name?: string): Record<string, string>;
}

/** A folder, by its canonical path, that is removed when the test ends. */
export function scratchFolder(): ScratchFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "kindling-localizer-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    at: (name) => join(path, name),
    write(name, content, mode = 0o644) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content, { mode });
      return file;
    },
    mkdir(name) {
      mkdirSync(join(path, name), { recursive: true });
      return join(path, name);
    },
    tree: (name = ".") => tree(join(path, name)),
  };
}

/** The contents of a folder: files with content and mode, links with their targets, directories with a slash. */
export function tree(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()) {
    const path = join(folder, name);
    const stats = lstatSync(path);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isDirectory()) found[`${name}/`] = mode;
    else if (stats.isSymbolicLink()) found[name] = `-> ${readlinkSync(path)}`;
    else found[name] = `${mode} ${readFileSync(path, "latin1")}`;
  }
  return found;
}
