// @ts-check
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MEBIBYTE = 1024 * 1024;

/**
 * @typedef {{ kind: string, path: string, procs: string, remove: () => void }} MemoryGroup a process joins it through `procs`
 */

/**
 * A memory cgroup of version 1 or 2, if this user may create one; otherwise `undefined`.
 *
 * @param {number} mebibytes
 * @returns {MemoryGroup | undefined}
 */
export function memoryGroup(mebibytes) {
  const name = `kindling-hostile-${process.pid}`;
  const kinds = [
    { kind: "cgroup v2", root: "/sys/fs/cgroup", probe: "cgroup.subtree_control", limit: "memory.max" },
    {
      kind: "cgroup v1",
      root: "/sys/fs/cgroup/memory",
      probe: "memory.limit_in_bytes",
      limit: "memory.limit_in_bytes",
    },
  ];
  for (const { kind, root, probe, limit } of kinds) {
    if (!existsSync(join(root, probe))) continue;
    const path = join(root, name);
    try {
      if (kind === "cgroup v2") writeFileSync(join(root, probe), "+memory");
      mkdirSync(path);
      writeFileSync(join(path, limit), String(mebibytes * MEBIBYTE));
      return { kind, path, procs: join(path, "cgroup.procs"), remove: () => rmdirSync(path) };
    } catch {
      // This user may not create it, or the controller belongs to the other version.
    }
  }
  return undefined;
}

/**
 * A shell command that puts the shell into the group, and so the program that it becomes.
 *
 * @param {MemoryGroup | undefined} group
 */
export function entering(group) {
  return group === undefined ? "" : `echo $$ > ${group.procs} && `;
}
