import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type Finished, type RunningProcess, runningProcess } from "@kindling/test-kit/running-process";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

/** The command as it is published. */
export const BIN: string = fileURLToPath(new URL("../../bin/kindling-dev.js", import.meta.url));

const KINDLING = fileURLToPath(new URL("../../../submit-cli/bin/kindling.js", import.meta.url));

/** Writes a shell script that can be run. */
export function program(path: string, text: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

/** A machine with a home, and with a Java, a Python and a Spark that are only stubs. */
export class Machine {
  readonly folder: string = scratchFolder().path;
  readonly state: string = join(this.folder, "state", "kindling", "dev");
  readonly spark: string = join(this.folder, "spark");
  readonly env: Record<string, string>;

  constructor(java: string | undefined = "17.0.15") {
    const bin = join(this.folder, "bin");
    mkdirSync(bin);
    mkdirSync(join(this.spark, "jars"), { recursive: true });
    writeFileSync(join(this.spark, "jars", "spark-core_2.13-4.3.0.jar"), "");
    program(
      join(bin, "python3"),
      'case "$2" in *find_spec*) echo;; *) printf "%s\\n" /usr/bin/python3 3.11.7 /usr /usr;; esac',
    );
    const settings = `echo "    java.home = /usr/java"; echo "    java.version = ${java}"`;
    program(join(bin, "java"), java === undefined ? "exit 1" : settings);
    this.env = {
      PATH: `${bin}:/usr/bin:/bin:/usr/sbin:/sbin`,
      HOME: this.folder,
      XDG_STATE_HOME: join(this.folder, "state"),
      SPARK_HOME: this.spark,
    };
    // An instance that a failed test has left must not go on.
    onTestFinished(async () => {
      if (this.hasInstance()) await this.dev("down");
    });
  }

  /** Runs `kindling-dev` to its end. */
  dev(...args: readonly string[]): Promise<Finished> {
    return this.start(...args).ended;
  }

  start(...args: readonly string[]): RunningProcess {
    const child = spawn(process.execPath, [BIN, ...args], {
      env: this.env,
      cwd: this.folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return runningProcess(child);
  }

  /** Runs `kindling` as a user who has exported the variables that `up` prints. */
  kindling(...args: readonly string[]): Promise<Finished> {
    return this.#kindling({ ...this.#kubeconfig, SPARK_CONF_DIR: join(this.state, "conf") }, args).ended;
  }

  /** Runs `kindling` as a user who has only the cluster's kubeconfig. */
  withKubeconfig(...args: readonly string[]): Promise<Finished> {
    return this.startKindling(...args).ended;
  }

  /** Begins `kindling` as a user who has only the cluster's kubeconfig. */
  startKindling(...args: readonly string[]): RunningProcess {
    return this.#kindling(this.#kubeconfig, args);
  }

  get #kubeconfig(): Record<string, string> {
    return { KUBECONFIG: join(this.state, "kubeconfig") };
  }

  #kindling(env: Record<string, string>, args: readonly string[]): RunningProcess {
    const child = spawn(process.execPath, [KINDLING, ...args], {
      env: { ...this.env, ...env },
      cwd: this.folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    return runningProcess(child);
  }

  /** Whether there is a socket of an instance. */
  hasInstance(): boolean {
    return existsSync(join(this.state, "control.sock"));
  }

  /** The output of `kindling dev status -o json`. */
  async status(): Promise<{
    running: boolean;
    pid: number;
    url: string;
    kubeconfig: string;
    image: string;
    staging: string;
    gateway?: { uri: string; page: string };
  }> {
    return JSON.parse((await this.dev("status", "-o", "json")).stdout);
  }
}

/** Whether a process runs; an ended process may still wait for its parent. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  } catch {
    return false;
  }
}
