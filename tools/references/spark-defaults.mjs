// @ts-check
// Writes the values of Spark's keys if nobody sets them. A reference such as ${spark.driver.memory} stands for such a value. A
// real spark-submit of each release gets a value that refers to every key, and the pod that it requests shows the values.
// Usage: node tools/references/spark-defaults.mjs RELEASE=SPARK_HOME... > packages/steps/src/keys/spark-defaults.json with the
// releases from old to new. For each release after the first, only the changes are kept.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** @type {readonly string[]} */
const KEYS = JSON.parse(
  readFileSync(new URL("../../packages/steps/src/keys/spark-keys.json", import.meta.url), "utf8"),
);
/** The key that holds the references. */
const HOLDER = "spark.kubernetes.scheduler.name";
const SEPARATOR = "|";
/** Keys that spark-submit gets here, so that the pod does not show their defaults. */
const TOLD = { "spark.kubernetes.submission.waitAppCompletion": "true" };
/**
 * Keys that have the value of another key while they are unset (`fallbackConf`).
 *
 * @type {Readonly<Record<string, string>>}
 */
const FALLBACKS = {
  "spark.driver.blockManager.port": "spark.blockManager.port",
  "spark.kubernetes.driver.container.image": "spark.kubernetes.container.image",
  "spark.kubernetes.executor.container.image": "spark.kubernetes.container.image",
  "spark.kubernetes.driver.securityContext.allowPrivilegeEscalation":
    "spark.kubernetes.securityContext.allowPrivilegeEscalation",
  "spark.kubernetes.executor.securityContext.allowPrivilegeEscalation":
    "spark.kubernetes.securityContext.allowPrivilegeEscalation",
};
/** The key with a different value on each machine: its own address. */
const OF_THE_MACHINE = new Set(["spark.driver.host"]);

/** @typedef {Record<string, string | null>} Defaults by key; null if a key is gone */

/**
 * The members of the objects from spark-submit that are used.
 *
 * @typedef {object} Submitted
 * @property {string} kind
 * @property {Readonly<Record<string, unknown>>} [metadata]
 * @property {Readonly<Record<string, string>>} [data] of a ConfigMap
 * @property {{ readonly schedulerName?: string }} [spec] of a pod
 */

/** @type {Record<string, Defaults>} */
const releases = {};
/** @type {Defaults} */
let all = {};
for (const argument of process.argv.slice(2)) {
  const [release = "", home = ""] = argument.split("=");
  const defaults = await defaultsOf(home);
  const gone = Object.keys(all).filter((key) => all[key] !== null && defaults[key] === undefined);
  const changed = Object.entries(defaults).filter(([key, value]) => all[key] !== value);
  const news = [...changed, ...gone.map((key) => /** @type {const} */ ([key, null]))].toSorted(byKey);
  releases[release] = Object.fromEntries(news);
  all = { ...all, ...releases[release] };
}
process.stdout.write(`${JSON.stringify(releases, undefined, 1)}\n`);

/**
 * @param {readonly [string, unknown]} one
 * @param {readonly [string, unknown]} other
 */
function byKey([a], [b]) {
  return a < b ? -1 : 1;
}

/** @param {string} home of a Spark */
async function defaultsOf(home) {
  const keys = KEYS.filter((key) => key !== HOLDER);
  const { pod, set } = await submitted(home, keys.map((key) => `${key}=\${${key}}`).join(SEPARATOR));
  const shown = pod.spec?.schedulerName?.split(/\|(?=spark\.[\w.-]+=)/) ?? [];
  /** @type {Record<string, string>} */
  const defaults = { ...TOLD };
  for (const pair of shown) {
    const equals = pair.indexOf("=");
    const [key, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
    if (value === `\${${key}}` || OF_THE_MACHINE.has(key)) continue;
    // spark-submit set this value before it read the reference. A value that it sets later, for the driver, shows its default.
    if (set.get(key) === value) continue;
    defaults[key] = FALLBACKS[key] === undefined ? value : `\${${FALLBACKS[key]}}`;
  }
  return defaults;
}

/**
 * The pod that spark-submit requests, and what it sets for the driver.
 *
 * @param {string} home of a Spark
 * @param {string} value of the key that holds the references
 */
async function submitted(home, value) {
  /** @type {Submitted[]} */
  const bodies = [];
  const server = createServer((request, response) => void answer(request, response, bodies));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen");
  const folder = mkdtempSync(join(tmpdir(), "spark-defaults-"));
  try {
    const file = join(folder, "references.conf");
    writeFileSync(file, `${HOLDER}=${value}\n`);
    const child = spawn(join(home, "bin/spark-submit"), argumentsOf(address.port, file), {
      env: { ...process.env, SPARK_HOME: home, KUBECONFIG: "/dev/null" },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const [code] = await once(child, "exit");
    const pod = bodies.find(({ kind }) => kind === "Pod");
    if (code !== 0 || pod === undefined) throw new Error(`${home}: spark-submit ended with ${code}`);
    const { data = {} } = bodies.find(({ data }) => data?.["spark.properties"] !== undefined) ?? {};
    const lines = (data["spark.properties"] ?? "").split("\n").filter((line) => line.includes("="));
    return { pod, set: new Map(lines.map(keyAndValue)) };
  } finally {
    rmSync(folder, { recursive: true });
    server.close();
    server.closeAllConnections();
  }
}

/**
 * @param {string} line
 * @returns {[key: string, value: string]}
 */
function keyAndValue(line) {
  const equals = line.indexOf("=");
  return [line.slice(0, equals), line.slice(equals + 1).replaceAll(/\\(.)/g, "$1")];
}

/**
 * @param {number} port of the server
 * @param {string} file of properties
 */
function argumentsOf(port, file) {
  const told = Object.keys(TOLD).flatMap((key) => ["--conf", `${key}=false`]);
  const image = ["--conf", "spark.kubernetes.container.image=image"];
  const flags = ["--master", `k8s://http://127.0.0.1:${port}`, "--deploy-mode", "cluster", "--properties-file", file];
  return [...flags, ...told, ...image, "local:///a.py"];
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {Submitted[]} bodies to which the request's body is added
 */
async function answer(request, response, bodies) {
  const body = await text(request);
  /** @type {Submitted} */
  const object = body === "" ? { kind: "Status", apiVersion: "v1" } : JSON.parse(body);
  bodies.push(object);
  const metadata = { name: "x", ...object.metadata, uid: "uid", resourceVersion: "1" };
  response.writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify({ ...object, metadata }));
}
