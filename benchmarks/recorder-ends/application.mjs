// @ts-check
// One application: submitted, ended in its way, and what is kept of it.
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isNotFound, resources } from "@kindling/kube";
import { kindling } from "../gateway/kindling.mjs";

/**
 * @typedef {object} Place
 * @property {import("@kindling/kube").KubeClient} client
 * @property {string} image of Spark, with `{version}`
 * @property {string} system the namespace of the installation
 */

/**
 * What is kept of an application.
 *
 * @typedef {object} Kept
 * @property {import("./ways.mjs").Way} way
 * @property {string} version of Spark
 * @property {string} namespace
 * @property {string} driver its pod
 * @property {any} [run] the row of its history; missing if there is none
 * @property {number} missingSeconds how much of the end of its driver's log, and of its executors' logs, is not there at most
 * @property {readonly string[]} remarks what is not as it should be
 */

const PROGRAM = fileURLToPath(new URL("telling.py", import.meta.url));
const ENDS_MS = 10 * 60_000;
const KEPT_MS = 3 * 60_000;
const LOOK_MS = 1_000;
const MOST_ATTEMPTS = 60;
const LAST_BEAT = "LAST BEAT";
/** Executors have told all that they tell. */
const TOLD = "Job 0 finished";

/** A short program starts sooner so. Nothing that is measured here depends on it. */
const QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

const CONF = {
  "spark.driver.extraJavaOptions": QUICK_START,
  "spark.executor.extraJavaOptions": QUICK_START,
  "spark.kubernetes.driver.request.cores": "100m",
  "spark.kubernetes.executor.request.cores": "100m",
  "spark.executor.instances": "1",
  "spark.executor.cores": "2",
  "spark.driver.memory": "512m",
  "spark.executor.memory": "512m",
  "spark.task.maxFailures": "2",
  "spark.kubernetes.submission.waitAppCompletion": "false",
};

/**
 * Submits an application.
 *
 * @param {Place} place
 * @param {{ way: import("./ways.mjs").Way, version: string, namespace: string, name: string }} application
 * @returns {Promise<string>} the name of its driver pod
 */
export async function submitted({ image }, { way, version, namespace, name }) {
  const conf = { ...CONF, "spark.kubernetes.container.image": image.replaceAll("{version}", version) };
  const flags = Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
  const { exit, out, err } = await kindling(["submit", "-n", namespace, "--name", name, ...flags, PROGRAM, way.name]);
  const [, driver] = /submission ID [^:\s]+:(\S+)/.exec(out + err) ?? [];
  if (exit !== 0 || driver === undefined) throw new Error(`${name} cannot be submitted: ${err}`);
  return driver;
}

/**
 * Waits until an application has told all that it tells, if it does not end by itself.
 *
 * @param {Place} place
 * @param {string} namespace
 * @param {string} driver
 * @param {string} [text] something else to wait for in the driver's log
 * @returns whether it has; a driver on a machine that is too busy may have failed before
 */
export async function hasTold({ client }, namespace, driver, text = TOLD) {
  const giveUp = Date.now() + ENDS_MS;
  while (Date.now() < giveUp) {
    const lines = await lastLines(client, namespace, driver).catch(() => []);
    if (lines.some((line) => line.includes(text))) return true;
    const { status } = await client.get(resources.pods, driver, { namespace });
    if (status?.phase === "Failed" || status?.phase === "Succeeded") break;
    await sleep(LOOK_MS);
  }
  process.stderr.write(`${driver} has ended too early\n`);
  return false;
}

/**
 * Waits until an application is kept, and looks at what is kept of it.
 *
 * @param {Place} place
 * @param {{ way: import("./ways.mjs").Way, version: string, namespace: string, driver: string, endedAt: number | undefined }} application
 * `endedAt`: when the benchmark ended it. If it ended by itself, its pod is still there, with its whole log
 * @returns {Promise<Kept>}
 */
export async function kept({ client }, { way, version, namespace, driver, endedAt }) {
  const run = await untilKept(driver, endedAt === undefined ? ENDS_MS : KEPT_MS);
  /** @type {string[]} */
  const remarks = [];
  if (run === undefined) {
    return { way, version, namespace, driver, missingSeconds: Infinity, remarks: ["it is not kept"] };
  }
  if (way.state !== "any" && run.state !== way.state) remarks.push(`its state is ${run.state}`);
  if (way.why !== undefined && !way.why.test(run.why ?? "")) remarks.push(`why: ${run.why ?? "nothing"}`);
  if (run.eventLog === undefined) remarks.push("it has no event log");
  const whole = endedAt === undefined ? await takenLines(client, namespace, driver) : undefined;
  const log = await linesOf(namespace, driver);
  const missing = [whole === undefined ? secondsUntil(endedAt ?? 0, log) : missingLines(whole, log, remarks)];
  const beats = await linesOf(namespace, driver, "--executor", "1");
  missing.push(
    endedAt === undefined || beats.some((line) => line.includes(LAST_BEAT))
      ? missingOf(beats, LAST_BEAT, remarks, "executor")
      : secondsUntil(endedAt, beats),
  );
  return { way, version, namespace, driver, run, missingSeconds: Math.max(...missing), remarks };
}

/**
 * The row of an application in the history.
 *
 * @param {string} driver
 * @param {number} milliseconds of patience
 */
async function untilKept(driver, milliseconds) {
  const giveUp = Date.now() + milliseconds;
  while (Date.now() < giveUp) {
    const { out } = await kindling(["history", "-A", "--name", driver, "-o", "json"]);
    const [run] = out === "" ? [] : JSON.parse(out).items;
    if (run !== undefined) return run;
    await sleep(LOOK_MS);
  }
  return undefined;
}

/**
 * @param {string} namespace
 * @param {string} driver
 * @param {readonly string[]} flags
 */
async function linesOf(namespace, driver, ...flags) {
  // The recorder may have been killed just now.
  for (let attempt = 0; ; attempt++) {
    const { out, err, exit } = await kindling(["logs", "-n", namespace, ...flags, driver]);
    // The last line of a program that was killed may be empty.
    if (exit === 0) return out.replace(/\n$/, "").split("\n");
    if (attempt === MOST_ATTEMPTS) throw new Error(`${driver}: ${err}`);
    await sleep(LOOK_MS);
  }
}

/**
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 * @param {string} driver
 */
async function lastLines(client, namespace, driver) {
  const lines = [];
  const stream = await client.logs(driver, { namespace, container: "spark-kubernetes-driver" });
  for await (const line of stream.lines()) lines.push(line);
  return lines;
}

/**
 * The log of a driver's pod, which is deleted then.
 *
 * @param {import("@kindling/kube").KubeClient} client
 * @param {string} namespace
 * @param {string} driver
 */
async function takenLines(client, namespace, driver) {
  const lines = await lastLines(client, namespace, driver);
  await client.delete(resources.pods, driver, { namespace, gracePeriodSeconds: 0 });
  while (await client.get(resources.pods, driver, { namespace }).catch(ifGone)) await sleep(LOOK_MS);
  return lines;
}

/** @param {unknown} error */
function ifGone(error) {
  if (isNotFound(error)) return undefined;
  throw error;
}

/**
 * @param {readonly string[]} whole
 * @param {readonly string[]} log
 * @param {string[]} remarks
 * @returns {number} 0 if all lines are there
 */
function missingLines(whole, log, remarks) {
  if (whole.length === log.length && whole.at(-1) === log.at(-1)) return 0;
  remarks.push(`${whole.length} lines of the driver, and ${log.length} of them kept`);
  return Infinity;
}

/**
 * @param {readonly string[]} lines
 * @param {string} last
 * @param {string[]} remarks
 * @param {string} whose
 * @returns {number} 0 if the last line is there
 */
function missingOf(lines, last, remarks, whose) {
  if (lines.some((line) => line.includes(last))) return 0;
  remarks.push(`the ${whose}'s log ends with: ${(lines.at(-1) ?? "").slice(0, 60)}`);
  return Infinity;
}

/**
 * How long before the end the last kept line was written.
 *
 * @param {number} endedAt
 * @param {readonly string[]} lines
 */
function secondsUntil(endedAt, lines) {
  const latest = lines.reduce((time, line) => Math.max(time, timeOf(line)), 0);
  return Math.max(0, endedAt / 1000 - latest);
}

/**
 * The time of a line of the application, or of Spark, whose pods know UTC alone; 0 for another line.
 *
 * @param {string} line
 * @returns {number} seconds since the epoch
 */
function timeOf(line) {
  const [, told] = /^(?:LINE|BEAT) \d+ (\d+\.\d+)/.exec(line) ?? [];
  if (told !== undefined) return Number(told);
  const [, day, time] = /^(\d\d\/\d\d\/\d\d) (\d\d:\d\d:\d\d) /.exec(line) ?? [];
  return day === undefined ? 0 : Date.parse(`20${day.replaceAll("/", "-")}T${time}Z`) / 1000;
}
