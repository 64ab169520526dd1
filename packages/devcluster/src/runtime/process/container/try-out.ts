import { join } from "node:path";
import { messageOf } from "@kindling/core-spec";
import type { Container, Pod } from "../../../objects/pod.ts";
import { cannotContain } from "../host/abilities.ts";
import type { ProcessImage } from "../process-image.ts";
import { type StateFolder, removeTree } from "../state/state-folder.ts";
import { LaunchError } from "./launch.ts";
import type { Machine } from "./machine.ts";
import type { Mode } from "./set-up-script.ts";
import { startProcess } from "./start-process.ts";

/**
 * Finds out by trying how containers can be made. A user named root may have few of root's rights, for example in a container
 * of another engine, but may still do what every user may.
 *
 * @throws KindlingError if they cannot be made at all
 */
export async function tryOut(machine: Machine, state: StateFolder): Promise<Machine> {
  const modes: readonly Mode[] = machine.mode === "root" ? ["root", "user"] : ["user"];
  let complaint = "";
  for (const mode of modes) {
    const candidate = { ...machine, mode };
    const problem = await problemWith(candidate, join(state.memory, "trial"), join(state.pods, "trial"));
    if (problem === undefined) return candidate;
    complaint = problem;
  }
  throw cannotContain(complaint);
}

const POD = { metadata: { name: "trial", namespace: "default", uid: "trial" }, spec: {} } as Pod;
// As another user, because that takes one more step.
const IMAGE: ProcessImage = {
  id: "trial",
  mounts: [],
  files: [],
  entrypoint: [],
  command: [],
  environment: {},
  workingDirectory: "/tmp",
  user: { uid: 1000, gid: 1000 },
};

/** Runs a program that does nothing; returns what prevents it. */
async function problemWith(machine: Machine, folder: string, writable: string): Promise<string | undefined> {
  const container = { name: "trial", command: [machine.tools.sh, "-c", ":"], resources: {} } as Container;
  const rest = { variables: [], hostname: "trial", hosts: "", volumes: () => [], onProcess: () => undefined };
  try {
    const { launched } = await startProcess({ machine, pod: POD, container, image: IMAGE, folder, writable, ...rest });
    let output = "";
    launched.output.stdout.resume();
    launched.output.stderr.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
    const { exitCode } = await launched.ended;
    return exitCode === 0 ? undefined : output.trim();
  } catch (error) {
    // If root has few rights, or few users are mapped, it cannot change the owner of files either.
    const isRefusal = error instanceof LaunchError || (error as NodeJS.ErrnoException).syscall === "chown";
    if (!isRefusal) throw error;
    return messageOf(error);
  } finally {
    for (const one of [folder, writable]) await removeTree(one);
  }
}
