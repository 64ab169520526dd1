import { join } from "node:path";
import { flagsOf, type MountPoint } from "../host/mount-flags.ts";
import type { Bind } from "./bind.ts";

const DEVICES = ["null", "zero", "full", "random", "urandom", "tty"];

/** The devices that a container has, as folders and files to mount on. */
export const DEVICE_POINTS: { readonly folders: readonly string[]; readonly files: readonly string[] } = {
  folders: ["/dev/shm", "/dev/pts", "/proc", "/sys"],
  files: DEVICES.map((name) => `/dev/${name}`),
};

export const DEVICE_LINKS: readonly { readonly path: string; readonly to: string }[] = [
  { path: "/dev/fd", to: "/proc/self/fd" },
  { path: "/dev/stdin", to: "/proc/self/fd/0" },
  { path: "/dev/stdout", to: "/proc/self/fd/1" },
  { path: "/dev/stderr", to: "/proc/self/fd/2" },
  { path: "/dev/ptmx", to: "pts/ptmx" },
];

export interface MountTableOptions {
  /** The folder of this machine that becomes the container's root. */
  readonly root: string;
  readonly binds: readonly Bind[];
  readonly readOnlyRoot: boolean;
  /** The mounts of this machine. */
  readonly host: readonly MountPoint[];
}

/** The mounts of a container in the order in which they are made, in the format of `mount --all --fstab` (fstab(5)). */
export function mountTable({ root, binds, readOnlyRoot, host }: MountTableOptions): string {
  const at = (target: string): string => join(root, target);
  const line = (source: string, target: string, type: string, ...options: readonly string[]): string =>
    `${escaped(source)} ${escaped(target)} ${type} ${options.join(",")} 0 0\n`;
  // With everything that is mounted below: if this belongs to another user namespace, it cannot be mounted in part.
  const bind = (source: string, target: string, readOnly: boolean): string =>
    line(source, target, "none", "rbind", ...(readOnly ? ["ro", ...flagsOf(host, source)] : []));
  return [
    bind(root, root, false),
    ...DEVICES.map((name) => bind(`/dev/${name}`, at(`/dev/${name}`), false)),
    line("proc", at("/proc"), "proc", "nosuid", "nodev", "noexec"),
    bind("/sys", at("/sys"), true),
    line("shm", at("/dev/shm"), "tmpfs", "nosuid", "nodev", "noexec", "mode=1777"),
    line("devpts", at("/dev/pts"), "devpts", "newinstance", "nosuid", "noexec", "ptmxmode=0666", "mode=0620"),
    ...binds.map(({ source, target, readOnly }) => bind(source, at(target), readOnly)),
    ...(readOnlyRoot ? [line("none", root, "none", "remount", "bind", "ro")] : []),
  ].join("");
}

function escaped(text: string): string {
  return text.replaceAll(/[\s\\#]/g, (letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`);
}
