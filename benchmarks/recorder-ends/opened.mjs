// @ts-check
// Event logs in the real history server of their version of Spark.
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@kindling/test-kit/free-port";
import { kindling } from "../gateway/kindling.mjs";
import { ENVIRONMENT } from "../harness/environment.mjs";
import { end } from "../harness/processes.mjs";

/** For each of them. */
const PATIENCE_MS = 10_000;
const START_MS = 120_000;
const LOOK_MS = 500;
const AT_ONCE = 4;

/**
 * How many of these applications a history server shows with their jobs.
 *
 * @param {readonly import("./application.mjs").Kept[]} applications
 * @param {{ home: string, folder: string }} options of a Spark, and an empty folder
 */
export async function opened(applications, { home, folder }) {
  for (const { namespace, driver } of applications) {
    const { exit, err } = await kindling(["ui", "-n", namespace, "--download", folder, driver]);
    if (exit !== 0) process.stderr.write(`${driver}: ${err}`);
  }
  const port = await freePort();
  const options = { "fs.logDirectory": `file:${folder}`, "ui.port": String(port), "fs.update.interval": "1s" };
  const flags = Object.entries(options).map(([name, value]) => `-Dspark.history.${name}=${value}`);
  const server = spawn(`${home}/bin/spark-class`, ["org.apache.spark.deploy.history.HistoryServer"], {
    env: { ...ENVIRONMENT, SPARK_LOCAL_IP: "127.0.0.1", SPARK_HISTORY_OPTS: flags.join(" ") },
    stdio: "ignore",
  });
  try {
    const api = `http://127.0.0.1:${port}/api/v1/applications`;
    const giveUp = Date.now() + START_MS + applications.length * PATIENCE_MS;
    let shown = 0;
    const left = applications.values();
    // The server has room for the pages of 50 applications, and drops others, also while it sends them.
    const look = async () => {
      for (const { run } of left) if (await hasJobs(`${api}/${run?.id}/jobs`, giveUp)) shown++;
    };
    await Promise.all(Array.from({ length: AT_ONCE }, look));
    return shown;
  } finally {
    await end(server);
  }
}

/**
 * @param {string} uri
 * @param {number} giveUp when no longer to wait
 * @returns {Promise<boolean>} whether the page of an application has jobs
 */
async function hasJobs(uri, giveUp) {
  while (Date.now() < giveUp) {
    // While it reads an event log, the server answers with a page.
    const jobs = await fetch(uri)
      .then(async (response) => (response.ok ? await response.json() : undefined))
      .catch(() => undefined);
    if (Array.isArray(jobs) && jobs.length > 0) return true;
    await sleep(LOOK_MS);
  }
  process.stderr.write(`${uri} has no jobs\n`);
  return false;
}
