import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A temporary folder with a recording's files, for `{W}` in its arguments. */
export interface WorkFolder {
  readonly path: string;
  /** The text with this folder's path in place of `{W}`. */
  fill(text: string): string;
  remove(): void;
}

export function workFolder(files: Readonly<Record<string, string>>): WorkFolder {
  const path = mkdtempSync(join(tmpdir(), "recording-"));
  writeFiles(path, files);
  return {
    path,
    fill: (text) => text.replaceAll("{W}", path),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** The content of a file, or the target of a link. */
export type WrittenContent = string | Uint8Array | { readonly link: string };

/** Writes files and links, with their folders. */
export function writeFiles(folder: string, files: Readonly<Record<string, WrittenContent>>): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === "object" && "link" in content) symlinkSync(content.link, path);
    else writeFileSync(path, content);
  }
}
