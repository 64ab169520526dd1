// @ts-check
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { DevCluster, ProcessRuntime } from "@kindling/devcluster";
import { byTurns } from "./harness/by-turns.mjs";
import { median, quantile, seconds } from "./harness/figures.mjs";
import { table } from "./harness/table.mjs";
import { sleep } from "./harness/wait.mjs";

const run = promisify(execFile);
const PODS = 31;

/** @type {import("@kindling/devcluster").ProcessImage} */
const IMAGE = {
  id: "shell",
  mounts: [],
  files: [],
  entrypoint: ["/bin/sh", "-c"],
  command: [],
  environment: {},
  workingDirectory: "/",
  user: undefined,
};

/** Pods as processes: from the request that creates a pod to the first line that its process writes. */
export async function devclusterPods() {
  const stateFolder = mkdtempSync(join(tmpdir(), "kindling-benchmark-"));
  const runtime = new ProcessRuntime({ images: [{ resolve: () => Promise.resolve(IMAGE) }], stateFolder });
  const cluster = await DevCluster.start({ runtime });
  try {
    let made = 0;
    const { pods, plain } = await byTurns(PODS, {
      pods: () => firstOutput(cluster.url, `pod-${made++}`),
      plain: plainOutput,
    });
    return table([
      [`measured (${PODS} each, one by one)`, "median", "9 of 10 at most", "wanted"],
      ["a pod's creation to its process's first output", ...figures(pods), "at most 100 ms"],
      ["the same program as a plain process", ...figures(plain), ""],
    ]);
  } finally {
    await cluster.stop();
    rmSync(stateFolder, { recursive: true });
  }
}

/** @param {readonly number[]} times in milliseconds */
function figures(times) {
  return [seconds(median(times) / 1000), seconds(quantile(times, 0.9) / 1000)];
}

/** Milliseconds until a local process reports the time of its own clock. */
async function plainOutput() {
  const began = Date.now();
  const { stdout } = await run("/bin/sh", ["-c", "date +%s%N"]);
  return Number(stdout) / 1e6 - began;
}

/**
 * Milliseconds until the pod's process reports the time of its own clock.
 *
 * @param {string} url of the cluster
 * @param {string} name
 */
async function firstOutput(url, name) {
  const pods = `${url}/api/v1/namespaces/default/pods`;
  const containers = [{ name: "main", image: "shell", args: ["date +%s%N; sleep 60"] }];
  const body = JSON.stringify({ metadata: { name }, spec: { restartPolicy: "Never", containers } });
  const began = Date.now();
  await fetch(pods, { method: "POST", body, headers: { "Content-Type": "application/json" } });
  for (;;) {
    const response = await fetch(`${pods}/${name}/log`);
    const text = await response.text();
    if (response.ok && text.endsWith("\n")) {
      await fetch(`${pods}/${name}?gracePeriodSeconds=0`, { method: "DELETE" });
      return Number(text) / 1e6 - began;
    }
    await sleep(5);
  }
}
