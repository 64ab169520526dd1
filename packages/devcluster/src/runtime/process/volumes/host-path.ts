import { mkdirSync, statSync, writeFileSync, type Stats } from "node:fs";
import { dirname } from "node:path";

/** A path of this machine does not match the volume's type; the message is that of the kubelet's event. */
export class HostPathError extends Error {}

const CHECKS: Readonly<Record<string, readonly [is: (stats: Stats) => boolean, what: string]>> = {
  Directory: [(stats) => stats.isDirectory(), "a directory"],
  File: [(stats) => stats.isFile(), "a file"],
  Socket: [(stats) => stats.isSocket(), "a socket file"],
  CharDevice: [(stats) => stats.isCharacterDevice(), "a character device"],
  BlockDevice: [(stats) => stats.isBlockDevice(), "a block device"],
};

/** Checks a path of this machine according to a `hostPath` volume, and creates it if the type says so. @throws HostPathError */
export function checkHostPath(path: string, type: string): void {
  const kind = type.replace("OrCreate", "");
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    // Without a type, container runtimes create a folder.
    if (type !== "" && !type.endsWith("OrCreate"))
      throw new HostPathError(`hostPath type check failed: ${path} is not ${CHECKS[kind]?.[1] ?? kind}`);
    if (kind === "File") {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "");
    } else mkdirSync(path, { recursive: true });
    return;
  }
  const check = CHECKS[kind];
  if (check !== undefined && !check[0](stats))
    throw new HostPathError(`hostPath type check failed: ${path} is not ${check[1]}`);
}
