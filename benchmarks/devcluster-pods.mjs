import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { DevCluster, ProcessRuntime } from "@kindling/devcluster";
import { median, seconds, table } from "./measure.mjs";

const run = promisify(execFile);
const PODS = 31;

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
    const [pods, plain] = [[], []];
    // By turns, so that what else the machine does hits both alike.
    for (let round = 0; round < PODS; round++) {
      pods.push(await firstOutput(cluster.url, `pod-${round}`));
      plain.push(await plainOutput());
    }
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

function figures(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return [seconds(median(times) / 1000), seconds(sorted[Math.floor(times.length * 0.9)] / 1000)];
}

/** Milliseconds until a process of this machine says what time it is by its own clock. */
async function plainOutput() {
  const began = Date.now();
  const { stdout } = await run("/bin/sh", ["-c", "date +%s%N"]);
  return Number(stdout) / 1e6 - began;
}

/** Milliseconds until the pod's process says what time it is by its own clock. */
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
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
