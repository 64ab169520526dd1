import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A temporary folder that holds a recording's files, for `{W}` in its arguments. */
export interface WorkFolder {
  readonly path: string;
  /** The text with this folder's path in place of `{W}`. */
  fill(text: string): string;
  remove(): void;
}

export function workFolder(files: Readonly<Record<string, string>>): WorkFolder {
  const path = mkdtempSync(join(tmpdir(), "recording-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return {
    path,
    fill: (text) => text.replaceAll("{W}", path),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
