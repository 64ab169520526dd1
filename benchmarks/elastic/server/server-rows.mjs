// @ts-check
// The shuffle server beside Spark's own service: how fast, at what cost, in how much memory, and what hostile clients can do.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { amount } from "../../harness/environment.mjs";
import { byTurns } from "../../harness/by-turns.mjs";
import { median } from "../../harness/figures.mjs";
import { atLeast, atMost } from "../../harness/judge.mjs";
import { attack, writeTraps } from "./hostile-frames.mjs";
import { startOurs, startSparks, usageOf } from "./shuffle-services.mjs";
import { writeShuffleFiles } from "./shuffle-files.mjs";

/** @typedef {import("../../harness/judge.mjs").Row} Row */

const READERS = fileURLToPath(new URL("readers.mjs", import.meta.url));
const CONNECTIONS = 8;
const GIGABYTE = 1e9;
const MEBIBYTE = 1024 * 1024;
const SIZES = [
  { name: "4 MiB", blockBytes: 4 * MEBIBYTE, maps: 24, partitions: 8 },
  { name: "64 KiB", blockBytes: 64 * 1024, maps: 100, partitions: 100 },
];
const GIGABYTES = amount("KINDLING_BENCH_GIGABYTES", 10);
const RUNS = amount("KINDLING_BENCH_RUNS", 3);
const FRAMES = amount("KINDLING_BENCH_FRAMES", 1_000_000);

const run = promisify(execFile);

/**
 * Measures the services by turns.
 *
 * @param {readonly { version: string, home: string }[]} sparks real Sparks
 * @returns {Promise<Row[]>}
 */
export async function serverRows(sparks) {
  const root = mkdtempSync(join(tmpdir(), "kindling-shuffle-"));
  try {
    const rows = [];
    for (const spark of sparks)
      for (const size of SIZES) rows.push(...(await fetchRows(join(root, size.name.replace(" ", "")), size, spark)));
    rows.push(...(await hostileRows(join(root, "hostile"))));
    return rows;
  } finally {
    rmSync(root, { recursive: true, force: true });
    rmSync(`${root}/hostile-outside`, { force: true });
  }
}

/**
 * @typedef {object} Fetched
 * @property {number} rate in MB a second
 * @property {number} cpu seconds for the bytes, without the start
 * @property {number} life seconds of the whole process, with its start
 * @property {number} peak MiB
 * @property {number} readyMs
 */

/**
 * @param {string} root
 * @param {typeof SIZES[number]} size
 * @param {{ version: string, home: string }} spark
 * @returns {Promise<Row[]>}
 */
async function fetchRows(root, size, { version, home }) {
  const files = writeShuffleFiles(root, size);
  const ours = () => fetched(() => startOurs(root), files);
  const sparks = () => fetched(() => startSparks(home, root), files);
  const found = await byTurns(RUNS, { ours, sparks });
  rmSync(root, { recursive: true });
  /** @param {"ours" | "sparks"} who @param {keyof Fetched} what */
  const of = (who, what) => median(found[who].map((one) => one[what]));
  const title = `beside Spark ${version}: ${GIGABYTES} GB in blocks of ${size.name}, ${CONNECTIONS} readers`;
  return [
    {
      what: `${title}: rate, Spark's and ours`,
      found: `${of("sparks", "rate").toFixed(0)} MB/s and ${of("ours", "rate").toFixed(0)} MB/s`,
    },
    atLeast(`${title}: rate, compared with Spark's`, of("ours", "rate") / of("sparks", "rate"), "×", 0.9),
    {
      what: `${title}: processor time with the start of the process, Spark's and ours`,
      found: `${of("sparks", "life").toFixed(1)} s and ${of("ours", "life").toFixed(1)} s`,
    },
    atMost(`${title}: the same, compared with Spark's`, of("ours", "life") / of("sparks", "life"), "×", 1.2),
    {
      what: `${title}: processor time without the start, Spark's (which sends files without copying them) and ours`,
      found: `${of("sparks", "cpu").toFixed(1)} s and ${of("ours", "cpu").toFixed(1)} s`,
    },
    {
      what: `${title}: memory of Spark's service, and when it was ready`,
      found: `${of("sparks", "peak").toFixed(0)} MiB, ${of("sparks", "readyMs").toFixed(0)} ms`,
    },
    atMost(`${title}: memory at its peak`, of("ours", "peak"), "MiB", 64),
    atMost(`${title}: ready after`, of("ours", "readyMs"), "ms", 200),
  ];
}

/**
 * @param {() => Promise<import("./shuffle-services.mjs").Service>} start
 * @param {import("./shuffle-files.mjs").ShuffleFiles} files
 * @returns {Promise<Fetched>}
 */
async function fetched(start, files) {
  const service = await start();
  try {
    const job = { port: service.port, connections: CONNECTIONS, bytes: GIGABYTES * GIGABYTE, ...files };
    const before = usageOf(service.pid).cpu;
    const { stdout } = await run(process.execPath, [READERS, JSON.stringify(job)]);
    /** @type {{ bytes: number, seconds: number }} */
    const { bytes, seconds } = JSON.parse(stdout);
    const { cpu, peak } = usageOf(service.pid);
    return { rate: bytes / seconds / 1e6, cpu: cpu - before, life: cpu, peak, readyMs: service.readyMs };
  } finally {
    await service.stop();
  }
}

/** @param {string} root @returns {Promise<Row[]>} */
async function hostileRows(root) {
  const files = writeShuffleFiles(root, { maps: 1, partitions: 4, blockBytes: 1_000 });
  writeTraps(root, files.localDirs);
  const service = await startOurs(root);
  try {
    const found = await attack({ port: service.port, frames: FRAMES, localDirs: files.localDirs });
    const { peak } = usageOf(service.pid);
    return [
      {
        what: "random and hostile frames that were sent; bytes of answers; connections that were closed",
        found: `${found.frames}; ${found.bytes}; ${found.closed}`,
      },
      {
        what: "bytes of a file outside of the local directories, to which links lead",
        found: String(found.leaks),
        wanted: "0",
        holds: found.leaks === 0,
      },
      atMost("memory at its peak under these frames", peak, "MiB", 80),
    ];
  } finally {
    await service.stop();
  }
}
