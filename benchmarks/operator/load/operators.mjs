// The two operators as processes of this machine: Kindling's, and the stock one with its spark-submit.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { IMAGES } from "../../../deploy/images/images.mjs";

const { main, nodeFlags = [] } = IMAGES.operator;
/** As its image runs it. */
const KINDLING = [...nodeFlags, fileURLToPath(new URL(`../../../packages/operator/${main}`, import.meta.url))];
const { NODE_EXTRA_CA_CERTS: _, ...ENVIRONMENT } = process.env;
const TICKS_PER_SECOND = 100;
const SAMPLE_MS = 250;

/** The words that start Kindling's operator. */
export function kindlingCommand(namespace, flags) {
  const words = ["controller", "start", `--namespaces=${namespace}`, "--health-probe-bind-address=0", ...flags];
  return { command: process.execPath, args: [...KINDLING, ...words], env: ENVIRONMENT };
}

/** Kindling's operator for one namespace. */
export function startKindling(namespace, flags = [], env = {}) {
  const { command, args } = kindlingCommand(namespace, flags);
  return startOperator(command, args, env, "the cluster has been listed");
}

/** The stock operator for one namespace; each of its submissions is a JVM of the Spark in SPARK_HOME. */
export function startStock(program, namespace, access, env, flags = []) {
  const { hostname, port } = new URL(access.server);
  return startOperator(
    program,
    [
      ...["controller", "start", `--namespaces=${namespace}`, "--leader-election=false"],
      ...["--health-probe-bind-address=0", ...flags],
    ],
    { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port, ...env },
    "Starting workers",
  );
}

/** Resolves when the operator has said that it works. */
async function startOperator(command, args, env, ready) {
  const child = spawn(command, args, { env: { ...ENVIRONMENT, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  let isReady = () => {};
  const started = new Promise((resolve) => (isReady = resolve));
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      log = (log + text).slice(-20_000);
      if (log.includes(ready)) isReady();
    });
  }
  const exited = once(child, "exit").then(([code]) => {
    throw new Error(`the operator ended with ${code}: ${log}`);
  });
  exited.catch(() => {});
  await Promise.race([started, exited]);
  let peak = 0;
  const sampling = setInterval(() => (peak = Math.max(peak, memoryOf(child.pid))), SAMPLE_MS);
  return {
    /** Seconds of processor time so far, with those of its children. */
    cpu: () => cpuOf(child.pid),
    /** The most that it and its children had at a time, in MiB. */
    peak: () => Math.max(peak, memoryOf(child.pid)),
    async stop() {
      clearInterval(sampling);
      const ended = once(child, "close");
      child.kill("SIGKILL");
      for (const pid of descendants(child.pid)) kill(pid);
      await ended;
    },
  };
}

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function stat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

function cpuOf(pid) {
  const ticks = [pid, ...descendants(pid)].map((each) => {
    // user, system, and the same of children that have ended
    const [user = 0, system = 0, ofUsers = 0, ofSystems = 0] = (stat(each)?.slice(11, 15) ?? []).map(Number);
    return user + system + ofUsers + ofSystems;
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND;
}

function memoryOf(pid) {
  return [pid, ...descendants(pid)].reduce((sum, each) => sum + residentMiB(each), 0);
}

function residentMiB(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function descendants(pid) {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(stat(name)?.[1] ?? 0)]);
  const found = [];
  for (let level = [pid]; level.length > 0;) {
    level = parents.filter(([, parent]) => level.includes(parent)).map(([child]) => child);
    found.push(...level);
  }
  return found;
}
