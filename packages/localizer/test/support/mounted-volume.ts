import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Whether this user may mount file systems: root on Linux, outside most containers. */
export const canMount: boolean = tryMount();

/** Mounts a file system in memory onto a folder, until the test ends. */
export function mountVolume(folder: string, options: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]);
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
}

export function remount(folder: string, options: string): void {
  execFileSync("mount", ["-o", `remount,${options}`, folder]);
}

function tryMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), "kindling-mount-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "tmpfs", folder]).status === 0;
  if (mounted) execFileSync("umount", ["--lazy", folder]);
  rmSync(folder, { recursive: true });
  return mounted;
}
