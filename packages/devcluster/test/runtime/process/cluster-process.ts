import { eventually } from "@kindling/test-kit/eventually";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const SCRIPT = fileURLToPath(new URL("./fixtures/cluster.mjs", import.meta.url));

/** A cluster in its own process, so that it can be killed or can belong to another user. */
export class ClusterProcess {
  readonly child: ChildProcess;
  /** Its first output: where it listens, or why it does not. */
  readonly said: string;

  private constructor(child: ChildProcess, said: string) {
    this.child = child;
    this.said = said;
  }

  /** Starts the build of this package with the given arguments; `through` is a command that starts the words after it. */
  static async start(
    args: readonly string[],
    user: { uid?: number; gid?: number } = {},
    through: readonly string[] = [],
  ): Promise<ClusterProcess> {
    const [program = "", ...rest] = [...through, process.execPath, SCRIPT, ...args];
    const child = spawn(program, rest, { ...user, stdio: ["ignore", "pipe", "inherit"] });
    for await (const line of createInterface(child.stdout)) return new ClusterProcess(child, line);
    throw new Error("the cluster's process ended without a word");
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    const exited = once(this.child, "exit");
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill(signal);
    await exited;
  }

  /** Runs a shell script as a pod and waits for the wanted text in its log. */
  async logged(
    name: string,
    script: string,
    wanted: string,
    pod: object = {},
    container: object = {},
  ): Promise<string> {
    const base = `${this.said}/api/v1/namespaces/default/pods`;
    const containers = [{ name: "main", image: "shell", args: [script], ...container }];
    const body = JSON.stringify({ metadata: { name }, spec: { restartPolicy: "Never", containers, ...pod } });
    const created = await fetch(base, { method: "POST", body, headers: { "Content-Type": "application/json" } });
    if (created.status !== 201) throw new Error(await created.text());
    return await eventually(async () => {
      const text = await (await fetch(`${base}/${name}/log`)).text();
      if (text.includes(wanted)) return text;
      throw new Error(`waited for ${wanted}: ${text}`);
    });
  }
}
