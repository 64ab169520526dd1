// @ts-check
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { resources } from "@kindling/kube";
import { giveDriversRights } from "./gateway/driver-rights.mjs";
import { inNamespace, withApiServer } from "./harness/api-server.mjs";
import { byTurns } from "./harness/by-turns.mjs";
import { amount } from "./harness/environment.mjs";
import { median } from "./harness/figures.mjs";
import { atMost, judge, leftOut } from "./harness/judge.mjs";
import { canCapture, capture } from "./sealed/capture.mjs";
import { clientSettings, getIn } from "./sealed/foreign.mjs";
import { deleteDriver, PORTS, prepareJobs, runJob } from "./sealed/run-job.mjs";

/** @typedef {import("./harness/judge.mjs").Row} Row */
/** @typedef {{ client: import("@kindling/kube").KubeClient, namespace: string, folder: string }} Place */

const VERSIONS = (process.env["KINDLING_E2E_SPARK_VERSIONS"] ?? "3.5.9,4.3.0").split(",");
const SPARK_HOME = process.env["KINDLING_E2E_SPARK_HOME"] ?? "";
const RUNS = amount("KINDLING_BENCH_RUNS", 5);
const TRIES = amount("KINDLING_BENCH_TRIES", 1_000);
const ROWS = amount("KINDLING_BENCH_ROWS", 2_000_000);
/** Enough to be seen, in few packets. */
const MARKED_ROWS = 50_000;
/** How long the application stays at most while others try to get in. */
const LINGER_SECONDS = 900;

/** What sealing costs, what can be read of the traffic, and whether others get in. */
export async function sealed() {
  return await withApiServer(async (server, folder) => {
    return await inNamespace(server, `kindling-benchmark-sealed-${process.pid}`, async (namespace) => {
      const place = { client: server.client, namespace, folder };
      await giveDriversRights(server.client, namespace);
      await prepareJobs(server.client, namespace);
      const rows = [];
      for (const version of VERSIONS) rows.push(...(await ofVersion(place, version)));
      return judge(rows);
    });
  });
}

/**
 * @param {Place} place
 * @param {string} version
 * @returns {Promise<Row[]>}
 */
async function ofVersion(place, version) {
  const times = await timesOf(place, version);
  const read = await readOf(place, version);
  const tries = await triesOf(place, version);
  return [...times, ...read, ...tries].map((row) => ({ ...row, what: `Spark ${version}: ${row.what}` }));
}

/**
 * @param {Place} place
 * @param {string} version
 * @returns {Promise<Row[]>}
 */
async function timesOf(place, version) {
  /** @param {boolean} isSealed */
  const run = (isSealed) => () => runJob(place, { version, isSealed, rows: ROWS });
  const found = await byTurns(RUNS, { open: run(false), sealed: run(true) }, { warmUp: 1 });
  /** @param {"open" | "sealed"} way @param {"first" | "shuffle"} what */
  const of = (way, what) => median(found[way].map((outcome) => outcome[what]));
  return [
    {
      what: `median of ${RUNS} shuffles, not sealed and sealed`,
      found: `${of("open", "shuffle").toFixed(2)} s and ${of("sealed", "shuffle").toFixed(2)} s`,
    },
    atMost("the time of a sealed shuffle", of("sealed", "shuffle") / of("open", "shuffle"), "×", 1.1),
    atMost("the first task is later by", of("sealed", "first") - of("open", "first"), "s", 0.3),
  ];
}

/**
 * @param {Place} place
 * @param {string} version
 * @returns {Promise<Row[]>}
 */
async function readOf(place, version) {
  if (!canCapture()) return [leftOut("rows that can be read in captured packets", "no root, or no tcpdump")];
  /** @param {boolean} isSealed */
  const seenOf = async (isSealed) => {
    const end = await capture();
    await runJob(place, { version, isSealed, rows: MARKED_ROWS, isCompressed: false });
    return await end();
  };
  const open = await seenOf(false);
  const closed = await seenOf(true);
  const handshakes = closed.tls13 - open.tls13;
  return [
    {
      what: "rows that can be read in captured packets, not sealed and sealed",
      found: `${open.marks} and ${closed.marks}`,
      wanted: "some, and none",
      holds: open.marks > 0 && closed.marks === 0,
    },
    ...(version.startsWith("3.")
      ? []
      : [{ what: "more handshakes of TLS 1.3 than without a seal", found: `${handshakes}`, holds: handshakes > 0 }]),
  ];
}

/**
 * @param {Place} place
 * @param {string} version
 * @returns {Promise<Row[]>}
 */
async function triesOf(place, version) {
  const sparkHome = SPARK_HOME.replaceAll("{version}", version);
  const job = { version, isSealed: true, rows: MARKED_ROWS, linger: LINGER_SECONDS };
  /** @type {Row[]} */
  const rows = [];
  await runJob(place, job, async (driver) => {
    try {
      rows.push(...(await triesAt(place, { driver, sparkHome })));
    } finally {
      await deleteDriver(place, driver);
    }
  });
  return rows;
}

/**
 * @param {Place} place
 * @param {{ driver: string, sparkHome: string }} of
 * @returns {Promise<Row[]>}
 */
async function triesAt(place, { driver, sparkHome }) {
  const { secret, tls } = await secretOf(place, driver);
  const doors = await doorsOf(place);
  const of = { sparkHome, folder: place.folder };
  const each = Math.ceil(TRIES / (3 * doors.length));
  const inside = clientSettings(tls);
  /** @type {(settings: readonly string[], count: number, secret?: string) => number} */
  const admitted = (settings, count, word) =>
    getIn(
      { ...of, settings },
      doors.map((door) => ({ ...door, count, ...(word !== undefined && { secret: word }) })),
    ).reduce((sum, one) => sum + one, 0);
  const refused = [
    { who: "without a handshake", admitted: admitted(inside, each) },
    { who: "with another secret", admitted: admitted(inside, each, "another") },
    { who: tls === undefined ? "in clear, again" : "without TLS", admitted: admitted([], each) },
  ];
  const control = admitted(inside, 1, secret);
  return [
    ...refused.map(({ who, admitted: count }) => ({
      what: `of ${each * doors.length} tries ${who} at the driver, its blocks and an executor's blocks, admitted`,
      found: String(count),
      wanted: "0",
      holds: count === 0,
    })),
    {
      what: `of ${doors.length} tries with the secret, admitted`,
      found: String(control),
      wanted: String(doors.length),
      holds: control === doors.length,
    },
  ];
}

/**
 * @param {Place} place
 * @param {string} driver
 */
async function secretOf({ client, namespace, folder }, driver) {
  /** @type {{ data?: Record<string, string> }} */
  const { data = {} } = await client.get(resources.secrets, `${driver.replace(/-driver$/, "")}-seal`, { namespace });
  /** @param {string} entry */
  const text = (entry) => Buffer.from(data[entry] ?? "", "base64").toString();
  const secret = text("secret-text");
  if (data["tls.key"] === undefined) return { secret, tls: undefined };
  const tls = { certificate: join(folder, "tls.crt"), key: join(folder, "tls.key") };
  writeFileSync(tls.certificate, text("tls.crt"));
  writeFileSync(tls.key, text("tls.key"));
  return { secret, tls };
}

/**
 * Where driver and executors listen for each other.
 *
 * @param {Place} place
 */
async function doorsOf({ client, namespace }) {
  const { items } = await client.listAll(resources.pods, { namespace, labelSelector: "spark-role" });
  /** @param {string} role */
  const address = (role) =>
    items.find(({ metadata, status }) => metadata?.labels?.["spark-role"] === role && status?.phase === "Running")
      ?.status?.podIP ?? "";
  return [
    { host: address("driver"), port: PORTS.driver },
    { host: address("driver"), port: PORTS.driverBlocks },
    { host: address("executor"), port: PORTS.executorBlocks },
  ];
}
