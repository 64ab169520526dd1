// @ts-check
// Event logs in the real history server of their version of Spark.
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@kindling/test-kit/free-port";
import { kindling } from "../gateway/kindling.mjs";
import { ENVIRONMENT } from "../harness/environment.mjs";
import { end } from "../harness/processes.mjs";

const PATIENCE_MS = 120_000;
const LOOK_MS = 500;

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
    const shown = await Promise.all(applications.map(async ({ run }) => await hasJobs(`${api}/${run?.id}/jobs`)));
    return shown.filter(Boolean).length;
  } finally {
    await end(server);
  }
}

/**
 * @param {string} uri
 * @returns {Promise<boolean>} whether the page of an application has jobs
 */
async function hasJobs(uri) {
  const giveUp = Date.now() + PATIENCE_MS;
  while (Date.now() < giveUp) {
    // While it reads an event log, the server answers with a page.
    const jobs = await fetch(uri)
      .then(async (response) => (response.ok ? await response.json() : undefined))
      .catch(() => undefined);
    if (Array.isArray(jobs)) return jobs.length > 0;
    await sleep(LOOK_MS);
  }
  process.stderr.write(`${uri} does not answer\n`);
  return false;
}
