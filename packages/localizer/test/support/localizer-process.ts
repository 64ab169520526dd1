import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { LocalizerConfig } from "../../src/config/index.ts";
import { scratchFolder, type ScratchFolder } from "./scratch-folder.ts";

const BUNDLE = fileURLToPath(new URL("../../dist/localizer.cjs", import.meta.url));
const BIN = fileURLToPath(new URL("../../bin/kindling-localizer.cjs", import.meta.url));

const AS_IN_THE_IMAGE = ["--max-old-space-size=64"];
/** Node's arguments for a localizer. */
export const LOCALIZER: readonly string[] = [...AS_IN_THE_IMAGE, BIN];

/** What the kubelet reads about a failed container. */
export interface TerminationMessage {
  readonly reason: string;
  readonly file?: string;
  readonly message: string;
  readonly hint?: string;
}

export interface Finished {
  readonly code: number | null;
  readonly stderr: string;
  readonly terminationLog: string;
  /** The termination log's one line. */
  readonly failure: TerminationMessage;
}

export interface RunningLocalizer {
  readonly child: ChildProcess;
  readonly ended: Promise<Finished>;
}

/** A place for a localizer: `volume` is the root of its targets. */
export interface Pod {
  readonly folder: ScratchFolder;
  readonly volume: string;
  /** A configuration below `volume`, written to disk. */
  readonly start: (config: PodConfig, options?: RunOptions) => RunningLocalizer;
  readonly run: (config: PodConfig, options?: RunOptions) => Promise<Finished>;
  /** The contents of the volume. */
  readonly tree: () => Record<string, string>;
}

export type PodConfig = Omit<LocalizerConfig, "version" | "roots"> & Partial<Pick<LocalizerConfig, "roots">>;

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments instead of the configuration's path. */
  readonly args?: readonly string[];
  readonly nodeOptions?: readonly string[];
  readonly uid?: number;
}

/** Another user may not be able to read the folder of this checkout. */
function forEverybody(folder: ScratchFolder, terminationLog: string): string {
  const copy = folder.at("localizer.cjs");
  copyFileSync(BUNDLE, copy);
  chmodSync(folder.path, 0o755);
  chmodSync(terminationLog, 0o666);
  return copy;
}

export function pod(): Pod {
  const folder = scratchFolder();
  const volume = folder.mkdir("volume");
  const start = (config: PodConfig, options: RunOptions = {}): RunningLocalizer => {
    const document: LocalizerConfig = { version: 1, roots: [volume], ...config };
    const path = folder.write("config.json", JSON.stringify(document));
    return startLocalizer(folder, options.args ?? [path], options);
  };
  return {
    folder,
    volume,
    start,
    run: (config, options) => start(config, options).ended,
    tree: () => folder.tree("volume"),
  };
}

function startLocalizer(folder: ScratchFolder, args: readonly string[], options: RunOptions): RunningLocalizer {
  const terminationLog = folder.write("termination-log", "");
  const { env = {}, nodeOptions = [], uid } = options;
  const program = uid === undefined ? BIN : forEverybody(folder, terminationLog);
  const child = spawn(process.execPath, [...AS_IN_THE_IMAGE, ...nodeOptions, program, ...args], {
    env: { PATH: process.env["PATH"] ?? "", TERMINATION_LOG: terminationLog, ...env },
    cwd: folder.path,
    stdio: ["ignore", "ignore", "pipe"],
    ...(uid !== undefined && { uid }),
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  const ended = new Promise<Finished>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      // The folder of a failed test is removed already.
      const text = existsSync(terminationLog) ? readFileSync(terminationLog, "utf8") : "";
      resolve({
        code,
        stderr,
        terminationLog: text,
        get failure() {
          return JSON.parse(text) as TerminationMessage;
        },
      });
    });
  });
  return { child, ended };
}
