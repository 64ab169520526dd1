// The two operators as local processes: Kindling's, and the stock operator with its spark-submit.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import type { ClusterAccess } from "@kindling/kube";
import { cpuSeconds, descendants, residentMemory } from "@kindling/test-kit/process-usage";
import { PLACES } from "../repository.ts";

/** The program that an image runs. */
interface Image {
  /** Relative to the package's folder. */
  readonly main: string;
  readonly nodeFlags?: readonly string[];
}

/** The module finds files relative to itself, so it cannot be bundled. */
const { IMAGES } = (await import(pathToFileURL(PLACES.images).href)) as {
  readonly IMAGES: Readonly<Record<string, Image>>;
};
const { NODE_EXTRA_CA_CERTS: _, ...ENVIRONMENT } = process.env;
const SAMPLE_MS = 250;
const KEPT_LOG = 20_000;

/** The command that starts a program. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** An operator that is running. */
export interface RunningOperator {
  /** Seconds of processor time so far, including its children. */
  cpu(): number;
  /** The most memory that it and its children used at the same time, in MiB. */
  peak(): number;
  stop(): Promise<void>;
}

/** The command that starts Kindling's operator as its image does. */
export function kindlingCommand(namespace: string, flags: readonly string[]): Command {
  const image = IMAGES["operator"];
  if (image === undefined) throw new Error("there is no image of the operator");
  const program = [...(image.nodeFlags ?? []), join(PLACES.operator, image.main)];
  const words = ["controller", "start", `--namespaces=${namespace}`, "--health-probe-bind-address=0", ...flags];
  return { command: process.execPath, args: [...program, ...words], env: ENVIRONMENT };
}

/** Kindling's operator for one namespace. */
export function startKindling(namespace: string, flags: readonly string[] = []): Promise<RunningOperator> {
  return startOperator(kindlingCommand(namespace, flags), "the cluster has been listed");
}

/** Where the stock operator is, and how it is started. */
export interface StockOperator {
  readonly program: string;
  readonly access: ClusterAccess;
  /** Each submission of the stock operator starts a JVM of the Spark in SPARK_HOME. */
  readonly env: { readonly SPARK_HOME: string; readonly HOME: string };
}

/** The stock operator for one namespace. */
export function startStock(
  { program, access, env }: StockOperator,
  namespace: string,
  flags: readonly string[] = [],
): Promise<RunningOperator> {
  const { hostname, port } = new URL(access.server);
  const args = [
    ...["controller", "start", `--namespaces=${namespace}`, "--leader-election=false"],
    ...["--health-probe-bind-address=0", ...flags],
  ];
  const place = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
  return startOperator({ command: program, args, env: { ...ENVIRONMENT, ...place, ...env } }, "Starting workers");
}

/** Resolves when the operator has logged that it is ready. */
async function startOperator({ command, args, env }: Command, ready: string): Promise<RunningOperator> {
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  await hasSaid(child, ready);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} did not start`);
  let peak = 0;
  const sampling = setInterval(() => (peak = Math.max(peak, residentMemory(pid))), SAMPLE_MS);
  return {
    cpu: () => cpuSeconds(pid),
    peak: () => Math.max(peak, residentMemory(pid)),
    async stop() {
      clearInterval(sampling);
      const ended = once(child, "close");
      child.kill("SIGKILL");
      for (const one of descendants(pid)) kill(one);
      await ended;
    },
  };
}

async function hasSaid(child: ChildProcessByStdio<null, Readable, Readable>, word: string): Promise<void> {
  let log = "";
  const said = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        log = (log + text).slice(-KEPT_LOG);
        if (log.includes(word)) resolve();
      });
    }
  });
  const exited = once(child, "exit").then(([code]) => {
    throw new Error(`the operator ended with ${String(code)}: ${log}`);
  });
  exited.catch(() => undefined);
  await Promise.race([said, exited]);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
