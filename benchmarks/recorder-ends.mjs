// @ts-check
import { exec } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { createKubeClient, isNotFound, loadClusterAccess, resources } from "@kindling/kube";
import { amount } from "./harness/environment.mjs";
import { judge, leftOut } from "./harness/judge.mjs";
import { hasTold, kept, submitted } from "./recorder-ends/application.mjs";
import { opened } from "./recorder-ends/opened.mjs";
import { WAYS } from "./recorder-ends/ways.mjs";

const SPARK_HOME = process.env["KINDLING_E2E_SPARK_HOME"] ?? "";
const VERSIONS = (process.env["KINDLING_E2E_SPARK_VERSIONS"] ?? "3.5.9,4.3.0").split(",");
const IMAGE = process.env["KINDLING_E2E_SPARK_IMAGE"] ?? "apache/spark:{version}";
const [LASTING = "", ...SHORT_LIVED] = (process.env["KINDLING_BENCH_NAMESPACES"] ?? "").split(",");
const [STOP_NODE, START_NODE] = [process.env["KINDLING_BENCH_STOP_NODE"], process.env["KINDLING_BENCH_START_NODE"]];
const ONLY = process.env["KINDLING_BENCH_ONLY"]?.split(",");
const RUNS = amount("KINDLING_BENCH_RUNS", 200);
const AT_ONCE = amount("KINDLING_BENCH_AT_ONCE", 2);
const SYSTEM = "kindling";
/** A driver in the middle of its work. */
const BEGUN = "LINE 60 ";
const FORCED = { gracePeriodSeconds: 0 };
const STOPPED_MS = 5_000;
const MOST_SUBMISSIONS = 3;

/** @typedef {import("./recorder-ends/application.mjs").Kept} Kept */
/** @typedef {{ way: import("./recorder-ends/ways.mjs").Way, version: string, namespace: string, name: string }} Application */

/** Applications that end in ten ways, and what an installation's recorder keeps of them. */
export async function recorderEnds() {
  const client = createKubeClient(await loadClusterAccess({ env: process.env }));
  const place = { client, image: IMAGE, system: SYSTEM };
  const all = applications();
  /** @type {Kept[]} */
  const found = [];
  try {
    const alone = all.filter(({ way }) => way.ends === "alone" || way.name === "forced");
    const left = alone.values();
    const runLeft = async () => {
      for (const one of left) found.push(await runOne(place, one).catch((error) => failed(one, error)));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, runLeft));
    for (const namespace of new Set(all.filter(({ way }) => way.ownNamespace).map((one) => one.namespace))) {
      const inside = all.filter((one) => one.namespace === namespace);
      found.push(...(await runTogether(place, inside, () => client.delete(resources.namespaces, namespace))));
    }
    const onNode = all.filter(({ way }) => way.name === "node");
    for (let next = 0; next < onNode.length; next += AT_ONCE) {
      const lost = onNode.slice(next, next + AT_ONCE);
      found.push(...(await runTogether(place, lost, () => loseNode(place, lost))));
    }
  } finally {
    client.close();
  }
  return judge(await rowsOf(found));
}

/** @returns {readonly Application[]} */
function applications() {
  const ways = WAYS.filter(({ name }) => ONLY === undefined || ONLY.includes(name));
  const can = ways.filter(({ name, ownNamespace }) => {
    if (name === "node") return STOP_NODE !== undefined && START_NODE !== undefined;
    return ownNamespace !== true || SHORT_LIVED.length > 0;
  });
  return Array.from({ length: RUNS }, (_, number) => {
    const round = Math.floor(number / can.length);
    const way = can[number % can.length] ?? can[0];
    if (way === undefined) throw new Error("KINDLING_BENCH_ONLY names no way");
    const version = VERSIONS[round % VERSIONS.length] ?? "";
    const namespace = way.ownNamespace ? (SHORT_LIVED[round % SHORT_LIVED.length] ?? LASTING) : LASTING;
    return { way, version, namespace, name: `${way.name}-${number}` };
  });
}

/**
 * @param {import("./recorder-ends/application.mjs").Place} place
 * @param {Application} application
 */
async function runOne(place, application) {
  const { way, version, namespace } = application;
  const waitsFor = way.name === "recorder" ? BEGUN : undefined;
  const driver =
    way.name === "forced" || way.name === "recorder"
      ? await toldBy(place, application, waitsFor)
      : await submitted(place, application);
  let endedAt;
  if (way.name === "forced") {
    await place.client.delete(resources.pods, driver, { namespace, ...FORCED });
    endedAt = Date.now();
  }
  if (way.name === "recorder") {
    const labelSelector = "app.kubernetes.io/name=kindling-recorder";
    const { items } = await place.client.listAll(resources.pods, { namespace: place.system, labelSelector });
    for (const { metadata } of items)
      await place.client.delete(resources.pods, metadata?.name ?? "", { namespace: place.system, ...FORCED });
  }
  return told(await kept(place, { way, version, namespace, driver, endedAt }));
}

/**
 * Runs applications until all of them have told what they tell, ends them, and looks at what is kept.
 *
 * @param {import("./recorder-ends/application.mjs").Place} place
 * @param {readonly Application[]} together
 * @param {() => Promise<unknown>} endAll
 */
async function runTogether(place, together, endAll) {
  /** @type {{ application: Application, driver: string }[]} */
  const running = [];
  await Promise.all(
    together.map(async (application) => running.push({ application, driver: await toldBy(place, application) })),
  );
  const endedAt = Date.now();
  await endAll();
  const found = [];
  for (const { application, driver } of running)
    found.push(told(await kept(place, { ...application, driver, endedAt })));
  return found;
}

/**
 * Submits an application that tells what it tells; again, if its driver fails before.
 *
 * @param {import("./recorder-ends/application.mjs").Place} place
 * @param {Application} application
 * @param {string} [text] something else to wait for in the driver's log
 */
async function toldBy(place, application, text) {
  for (let attempt = 0; attempt < MOST_SUBMISSIONS; attempt++) {
    const driver = await submitted(place, application);
    if (await hasTold(place, application.namespace, driver, text)) return driver;
  }
  throw new Error(`${application.name} has told nothing`);
}

/**
 * The node does not answer any more, and its pods are deleted.
 *
 * @param {import("./recorder-ends/application.mjs").Place} place
 * @param {readonly Application[]} lost
 */
async function loseNode({ client }, lost) {
  const shell = promisify(exec);
  await shell(STOP_NODE ?? "true");
  try {
    await sleep(STOPPED_MS);
    for (const namespace of new Set(lost.map((one) => one.namespace))) {
      const { items } = await client.listAll(resources.pods, { namespace, labelSelector: "spark-role" });
      const running = items.filter(({ status }) => status?.phase === "Running");
      for (const { metadata } of running) {
        const deletion = client.delete(resources.pods, metadata?.name ?? "", { namespace, ...FORCED });
        await deletion.catch((error) => {
          if (!isNotFound(error)) throw error;
        });
      }
    }
  } finally {
    await shell(START_NODE ?? "true");
  }
}

/**
 * The others go on if one application cannot be run or looked at; it counts as not kept.
 *
 * @param {Application} application
 * @param {unknown} error
 */
function failed({ way, version, namespace, name }, error) {
  const words = error instanceof Error ? error.message : String(error);
  return told({ way, version, namespace, driver: name, missingSeconds: Infinity, remarks: [words] });
}

/** @param {Kept} one */
function told(one) {
  const { way, version, driver, missingSeconds, remarks } = one;
  const words = remarks.length === 0 ? "well" : remarks.join("; ");
  process.stderr.write(`${way.name} ${version} ${driver}: ${missingSeconds.toFixed(1)} s missing, ${words}\n`);
  return one;
}

/**
 * @param {readonly Kept[]} found
 * @returns {Promise<import("./harness/judge.mjs").Row[]>}
 */
async function rowsOf(found) {
  const all = found.length;
  const ways = new Set(found.map(({ way }) => way.name));
  const vanished = found.filter(({ way }) => way.ends === "by-the-benchmark");
  const rest = found.filter(({ way }) => way.ends === "alone");
  return [
    {
      what: `applications, ended in ${ways.size} ways, in the history`,
      ...of(found.filter(({ run }) => run).length, all),
    },
    {
      what: "logs of drivers and executors that are there to the last byte, where an application ended by itself",
      ...of(rest.filter(({ missingSeconds }) => missingSeconds === 0).length, rest.length),
    },
    {
      what: "logs of which at most 15 s are missing, where pod, namespace or node vanished",
      ...of(vanished.filter(({ missingSeconds }) => missingSeconds <= 15).length, vanished.length),
    },
    {
      what: "the most that is missing of those",
      found: `${Math.max(0, ...vanished.map((one) => one.missingSeconds)).toFixed(1)} s`,
      wanted: "at most 15 s",
    },
    { what: "verdicts: the right state, and why", ...of(found.filter(isJudged).length, all) },
    ...(await openedRows(found)),
  ];
}

/**
 * @param {number} count
 * @param {number} whole
 */
function of(count, whole) {
  return { found: `${count} of ${whole}`, wanted: `${whole} of ${whole}`, holds: count === whole };
}

/** @param {Kept} one */
function isJudged({ run, remarks }) {
  return run !== undefined && !remarks.some((remark) => /^(?:its state|why)/.test(remark));
}

/**
 * @param {readonly Kept[]} found
 * @returns {Promise<import("./harness/judge.mjs").Row[]>}
 */
async function openedRows(found) {
  if (SPARK_HOME === "") return [leftOut("event logs in real history servers", "KINDLING_E2E_SPARK_HOME is not set")];
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-event-logs-"));
  try {
    const rows = [];
    for (const version of VERSIONS) {
      const own = found.filter((one) => one.version === version && one.run !== undefined);
      mkdirSync(join(folder, version));
      const options = { home: SPARK_HOME.replaceAll("{version}", version), folder: join(folder, version) };
      const count = await opened(own, options);
      rows.push({
        what: `event logs that the history server of Spark ${version} opens`,
        ...{
          found: `${count} of ${own.length}`,
          wanted: `${own.length} of ${own.length}`,
          holds: count === own.length,
        },
      });
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
