import { getgid, getuid } from "node:process";
import { type MountPoint, hostMountPoints } from "../host/mount-flags.ts";
import type { Tools } from "../host/tools.ts";
import { type System, readSystem } from "../root/system.ts";
import { Pipes } from "./pipes.ts";
import type { Mode } from "./set-up-script.ts";

/** What is needed to make containers on this machine. */
export interface Machine {
  readonly mode: Mode;
  readonly tools: Tools;
  readonly system: System;
  readonly pipes: Pipes;
  readonly mounts: readonly MountPoint[];
  /** The user that runs the cluster. */
  readonly own: { readonly uid: number; readonly gid: number };
}

/** Examines this machine; `pipes` is a folder for pipes. */
export function thisMachine(hostMounts: readonly string[], tools: Tools, pipes: string): Machine {
  const uid = getuid?.() ?? 0;
  return {
    mode: uid === 0 ? "root" : "user",
    tools,
    pipes: new Pipes(tools.mkfifo, pipes),
    system: readSystem(hostMounts),
    mounts: hostMountPoints(),
    own: { uid, gid: getgid?.() ?? 0 },
  };
}
