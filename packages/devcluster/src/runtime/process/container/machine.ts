import { getgid, getuid } from "node:process";
import { type MountPoint, hostMountPoints } from "../host/mount-flags.ts";
import { type Tools, findTools } from "../host/tools.ts";
import { type System, readSystem } from "../root/system.ts";
import type { Mode } from "./set-up-script.ts";

/** What containers are made with on this machine. */
export interface Machine {
  readonly mode: Mode;
  readonly tools: Tools;
  readonly system: System;
  readonly mounts: readonly MountPoint[];
  /** Who runs the cluster. */
  readonly own: { readonly uid: number; readonly gid: number };
}

/** @throws KindlingError if programs are missing */
export function thisMachine(hostMounts: readonly string[]): Machine {
  const uid = getuid?.() ?? 0;
  return {
    mode: uid === 0 ? "root" : "user",
    tools: findTools(),
    system: readSystem(hostMounts),
    mounts: hostMountPoints(),
    own: { uid, gid: getgid?.() ?? 0 },
  };
}
