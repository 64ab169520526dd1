import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { VolumeFile } from "./volume-files.ts";

const DATA = "..data";

/**
 * Writes the files of a volume so that all of them change at once: they are in a new folder, and the link `..data` is changed
 * to it. The names that containers see go through that link (as in the kubelet's AtomicWriter).
 *
 * @param group becomes the group of the files, if given
 */
export function writeFiles(
  volume: string,
  files: readonly VolumeFile[],
  version: string,
  group: number | undefined,
): void {
  const name = `..${version}`;
  const folder = join(volume, name);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  for (const { path, content, mode } of files) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    // The volume's group may read what its owner may read.
    chmodSync(file, group === undefined ? mode : mode | 0o440);
    if (group !== undefined) chownSync(file, -1, group);
  }
  const old = linkedTo(join(volume, DATA));
  symlinkSync(name, join(volume, `${DATA}_tmp`));
  renameSync(join(volume, `${DATA}_tmp`), join(volume, DATA));
  const shown = new Set(files.map(({ path }) => path.split("/")[0] ?? ""));
  for (const one of shown) {
    if (lstatSync(join(volume, one), { throwIfNoEntry: false }) === undefined)
      symlinkSync(join(DATA, one), join(volume, one));
  }
  for (const one of readdirSync(volume)) if (!one.startsWith("..") && !shown.has(one)) rmSync(join(volume, one));
  if (old !== undefined && old !== name) rmSync(join(volume, old), { recursive: true, force: true });
}

function linkedTo(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : readlinkSync(path);
}
