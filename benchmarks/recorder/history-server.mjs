// @ts-check
// Spark's own history server over the event logs of small applications, beside the recorder.
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@kindling/test-kit/free-port";
import { peakMemory } from "@kindling/test-kit/process-usage";
import { amount, ENVIRONMENT } from "../harness/environment.mjs";
import { mebibytes, quantile, seconds } from "../harness/figures.mjs";
import { leftOut } from "../harness/judge.mjs";
import { end, isRunning, pidOf } from "../harness/processes.mjs";
import { sleep } from "../harness/wait.mjs";

/** @typedef {import("../harness/judge.mjs").Row} Row */

const LOGS = amount("KINDLING_BENCH_EVENT_LOGS", 10_000);
const ASKED = 20;
const LOOK_MS = 500;
const PATIENCE_MS = 20 * 60_000;
const EXAMPLE = "examples/src/main/python/pi.py";
/** What a history server reads of an application for its list. */
const LISTED =
  /"Event":"(?:SparkListenerLogStart|SparkListenerApplicationStart|SparkListenerApplicationEnd|SparkListenerEnvironmentUpdate)"/;
const run = promisify(execFile);

/** @returns {Promise<Row[]>} */
export async function historyServerRows() {
  const [home = ""] = (process.env["SPARK_HOMES"] ?? "").split(",");
  if (home === "") return [leftOut("Spark's history server", "SPARK_HOMES names no Spark")];
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-history-"));
  try {
    await writeLogs(home, folder);
    return await served(home, join(folder, "logs"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Runs a real application once. The logs are copies of what it has written, with an id of their own each.
 *
 * @param {string} home of a Spark
 * @param {string} folder
 */
async function writeLogs(home, folder) {
  const [written, logs] = [join(folder, "written"), join(folder, "logs")];
  for (const path of [written, logs]) mkdirSync(path);
  const settings = ["enabled=true", `dir=file:${written}`, "compress=false", "rolling.enabled=false"];
  const flags = settings.flatMap((setting) => ["--conf", `spark.eventLog.${setting}`]);
  const way = ["--master", "local[1]", "--conf", "spark.ui.enabled=false"];
  await run(join(home, "bin/spark-submit"), [...way, ...flags, join(home, EXAMPLE), "2"], {
    env: { ...ENVIRONMENT, SPARK_LOCAL_IP: "127.0.0.1" },
    maxBuffer: 64 * 1024 * 1024,
  });
  const [id = ""] = readdirSync(written);
  const text = readFileSync(join(written, id), "utf8")
    .split("\n")
    .filter((line) => LISTED.test(line))
    .join("\n");
  for (let number = 0; number < LOGS; number++) {
    const own = `spark-${number.toString(16).padStart(32, "0")}`;
    writeFileSync(join(logs, own), `${text.replaceAll(id, own)}\n`);
  }
}

/**
 * @param {string} home of a Spark
 * @param {string} logs
 * @returns {Promise<Row[]>}
 */
async function served(home, logs) {
  const port = await freePort();
  const options = { "fs.logDirectory": `file:${logs}`, "ui.port": String(port), "fs.update.interval": "2s" };
  const flags = Object.entries(options).map(([name, value]) => `-Dspark.history.${name}=${value}`);
  const began = performance.now();
  // The memory is Spark's own default for its services: 1 GiB.
  const child = spawn(join(home, "bin/spark-class"), ["org.apache.spark.deploy.history.HistoryServer"], {
    env: { ...ENVIRONMENT, SPARK_LOCAL_IP: "127.0.0.1", SPARK_HISTORY_OPTS: flags.join(" ") },
    stdio: "ignore",
  });
  const uri = `http://127.0.0.1:${port}/api/v1/applications`;
  try {
    while ((await listed(uri)) < LOGS) {
      if (!isRunning(child)) throw new Error("Spark's history server has ended");
      if (performance.now() - began > PATIENCE_MS) throw new Error("Spark's history server takes too long");
      await sleep(LOOK_MS);
    }
    const started = performance.now() - began;
    const times = [];
    for (let count = 0; count < ASKED; count++) {
      const before = performance.now();
      await listed(`${uri}?status=completed&limit=100`);
      times.push(performance.now() - before);
    }
    const many = `${LOGS.toLocaleString("en")} event logs`;
    return [
      { what: `Spark's history server with ${many}: until it lists all`, found: seconds(started / 1000) },
      { what: "median of its lists of a hundred", found: seconds(quantile(times, 0.5) / 1000) },
      // The script has replaced itself with Java.
      { what: `memory of the history server at its peak, with ${many}`, found: mebibytes(peakMemory(pidOf(child))) },
    ];
  } finally {
    await end(child);
  }
}

/**
 * How many applications it lists; none as long as it does not answer.
 *
 * @param {string} uri
 */
async function listed(uri) {
  try {
    const answer = await fetch(uri);
    const list = /** @type {readonly object[]} */ (await answer.json());
    return list.length;
  } catch {
    return 0;
  }
}
