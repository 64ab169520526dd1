import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

export interface ScratchFolder {
  readonly path: string;
  /** Writes a file, with its folders; returns its path. */
  write(name: string, content: string | Uint8Array): string;
  /** Writes an executable shell script; returns its path. */
  writeScript(name: string, script: string): string;
  /** Writes a command that this machine can run, as a Node program; returns its path. */
  writeCommand(name: string, program: string): string;
  /** Creates a folder inside; returns its path. */
  mkdir(name: string): string;
}

/** A folder, by its canonical path, that is deleted when the test ends. */
export function scratchFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): ScratchFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "kindling-test-")));
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 3 }));
  const write = (name: string, content: string | Uint8Array): string => {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  };
  const writeExecutable = (name: string, text: string): string => {
    const file = write(name, text);
    chmodSync(file, 0o755);
    return file;
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  return {
    path,
    write,
    writeScript: (name, script) => writeExecutable(name, `#!/bin/sh\n${script}\n`),
    writeCommand: (name, program) => writeExecutable(name, `#!${process.execPath}\n${program}`),
    mkdir(name) {
      mkdirSync(join(path, name), { recursive: true });
      return join(path, name);
    },
  };
}
