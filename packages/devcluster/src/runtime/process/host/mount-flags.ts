import { readFileSync } from "node:fs";

/** A place where a file system of this machine is mounted. */
export interface MountPoint {
  readonly path: string;
  /** The flags of it, out of `nosuid`, `nodev` and `noexec`. */
  readonly flags: readonly string[];
}

const KEPT = new Set(["nosuid", "nodev", "noexec"]);

/** Reads the text of `/proc/self/mountinfo` (proc(5)). */
export function parseMountInfo(text: string): MountPoint[] {
  return text.split("\n").flatMap((line) => {
    const fields = line.split(" ");
    const [path, options] = [fields[4], fields[5]];
    if (path === undefined || options === undefined) return [];
    const unescaped = path.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(parseInt(code, 8)));
    return [{ path: unescaped, flags: options.split(",").filter((option) => KEPT.has(option)) }];
  });
}

/**
 * The flags of the mount that contains a path. A bind that is made read-only must repeat them: otherwise the kernel would
 * drop them, and it refuses that if the mount belongs to another user namespace.
 */
export function flagsOf(mounts: readonly MountPoint[], path: string): readonly string[] {
  let best: MountPoint | undefined;
  for (const mount of mounts) {
    const inside = path === mount.path || path.startsWith(mount.path === "/" ? "/" : `${mount.path}/`);
    // If two mounts are at the same place, the later one is on top.
    if (inside && (best === undefined || mount.path.length >= best.path.length)) best = mount;
  }
  return best?.flags ?? [];
}

export function hostMountPoints(): MountPoint[] {
  return parseMountInfo(readFileSync("/proc/self/mountinfo", "utf8"));
}
