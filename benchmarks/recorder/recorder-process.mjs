// @ts-check
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { cpuSeconds, peakMemory } from "@kindling/test-kit/process-usage";
import { IMAGES } from "../../deploy/images/images.mjs";
import { ENVIRONMENT } from "../harness/environment.mjs";
import { end, isRunning, pidOf } from "../harness/processes.mjs";
import { sleep } from "../harness/wait.mjs";

const COMMAND = fileURLToPath(new URL("../../packages/recorder/bin/kindling-recorder.cjs", import.meta.url));
const COUNTER = new URL("../gateway/count-requests.mjs", import.meta.url).href;
const LOOK_MS = 20;

/** @typedef {{ msg: string, uri?: string, adminUri?: string }} LogEntry the members that are used */
/** @typedef {Awaited<ReturnType<typeof recorderProcess>>} RecorderProcess */

/**
 * The command of the recorder as a process, with the flags of its image. Resolves when it is ready.
 *
 * @param {string} kubeconfig
 * @param {string} folder with its archive, and for its spool
 * @param {readonly string[]} [settings] flags in addition
 */
export async function recorderProcess(kubeconfig, folder, settings = []) {
  mkdirSync(join(folder, "spool"), { recursive: true });
  const began = performance.now();
  const counts = join(folder, "counts.json");
  const flags = [...(IMAGES["recorder"]?.nodeFlags ?? []), "--import", COUNTER];
  const child = spawn(process.execPath, [...flags, COMMAND, ...argumentsOf(kubeconfig, folder), ...settings], {
    env: { ...ENVIRONMENT, KINDLING_COUNT_FILE: counts },
    stdio: ["ignore", "pipe", "inherit"],
  });
  /** @type {string[]} */
  const complaints = [];
  const { uri, adminUri } = await served(child, complaints);
  while (!(await isReady(adminUri))) {
    if (!isRunning(child)) throw new Error(`the recorder has ended: ${complaints.join("")}`);
    await sleep(LOOK_MS);
  }
  const pid = pidOf(child);
  return {
    uri,
    pid,
    /** Milliseconds from the start of the process until it is ready. */
    startMs: performance.now() - began,
    /** What it has logged as a warning or an error. */
    complaints,
    peakMiB: () => peakMemory(pid),
    cpu: () => cpuSeconds(pid),
    /** Its requests to the API server by their kind: made so far, open now, and open at the same time at most. */
    async requests() {
      rmSync(counts, { force: true });
      child.kill("SIGUSR2");
      while (!existsSync(counts)) await sleep(10);
      /** @type {import("../gateway/count-requests.mjs").RequestCounts} */
      const read = JSON.parse(readFileSync(counts, "utf8"));
      return read;
    },
    stop: () => end(child),
  };
}

/**
 * @param {string} kubeconfig
 * @param {string} folder
 */
function argumentsOf(kubeconfig, folder) {
  return [
    ...["--cluster-kubeconfig", kubeconfig, "--listen-port", "0", "--admin-port", "0"],
    ...["--store-path", join(folder, "archive"), "--spool-path", join(folder, "spool")],
  ];
}

/**
 * Where it listens, as it says it.
 *
 * @param {import("node:child_process").ChildProcessByStdio<null, import("node:stream").Readable, null>} child
 * @param {string[]} complaints
 * @returns {Promise<{ uri: string, adminUri: string }>}
 */
function served(child, complaints) {
  return new Promise((resolve, reject) => {
    child.on("exit", (code) => reject(new Error(`the recorder ended with ${code}: ${complaints.join("\n")}`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      /** @type {LogEntry & { level?: string }} */
      const { level, uri, adminUri } = JSON.parse(line);
      if (level === "warn" || level === "error") complaints.push(line);
      if (uri !== undefined && adminUri !== undefined) resolve({ uri, adminUri });
    });
  });
}

/** @param {string} adminUri */
async function isReady(adminUri) {
  return await fetch(new URL("readyz", adminUri)).then(
    ({ status }) => status === 200,
    () => false,
  );
}
