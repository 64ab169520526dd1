// @ts-check
import { once } from "node:events";
import { randomFillSync } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cpuSeconds } from "@kindling/test-kit/process-usage";
import { byTurns } from "./harness/by-turns.mjs";
import { median, mebibytes, seconds } from "./harness/figures.mjs";
import { measuredRun } from "./harness/measured-run.mjs";
import { portOf } from "./harness/port-of.mjs";
import { table } from "./harness/table.mjs";
import { curlAndTar, forkWithin, python } from "./localizer/fork-way.mjs";
import { stage, stageAsFork } from "./localizer/stage.mjs";
import { kindling } from "./staging/servers.mjs";

const LOCALIZER = fileURLToPath(new URL("../packages/localizer/bin/kindling-localizer.cjs", import.meta.url));
// The same flags as in the image.
const NODE_OPTIONS = ["--max-old-space-size=64"];
const STARTS = 21;
const ROUNDS = 7;
const FILES = 30;
const FILE_BYTES = 10_000_000;

/** The localizer: its start, and 300 MB of jars compared with the one tar.gz that the old fork's init container fetches. */
export async function localizer() {
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-"));
  try {
    const start = await starts(folder);
    const bundle = await bundles(folder);
    const load = loadavg()[0]?.toFixed(1);
    return `${start}\n${bundle}\n${FILES} files of ${FILE_BYTES / 1e6} MB of random bytes; medians of ${STARTS} starts and of ${ROUNDS} interleaved rounds; load average ${load} at the end. The localizer verifies SHA-256, the others nothing; random bytes cost inflating next to nothing.\n`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * From the start of the process to its first request, and to its end, with one file of five bytes.
 *
 * @param {string} folder
 */
async function starts(folder) {
  let requested = Number.NaN;
  const server = createServer((_, response) => {
    requested = performance.now();
    response.end("hello");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const samples = await byTurns(STARTS, {
    async node() {
      const { wall } = await measuredRun({ command: process.execPath, args: ["-e", "0"] });
      return { wall, request: Number.NaN };
    },
    async localizer() {
      const { path } = configuration(folder, (volume) => ({
        files: [{ from: { uri: `http://127.0.0.1:${portOf(server)}/x` }, to: `${volume}/x` }],
      }));
      const command = { command: process.execPath, args: [...NODE_OPTIONS, LOCALIZER, path] };
      const { began, wall } = await measuredRun(command);
      return { wall, request: (requested - began) / 1000 };
    },
  });
  server.close();
  const node = median(samples.node.map(({ wall }) => wall));
  const [request, whole] = [samples.localizer.map((one) => one.request), samples.localizer.map(({ wall }) => wall)];
  /**
   * @param {string} label
   * @param {number} value
   * @param {string} wanted
   */
  const row = (label, value, wanted) => [label, seconds(node), seconds(value), `${(value / node).toFixed(1)}×`, wanted];
  return table([
    ["measured", "node -e 0", "localizer", "ratio", "wanted"],
    row("start to first request", median(request), "below 150 ms"),
    row("a whole run with one small file", median(whole), "below 150 ms"),
  ]);
}

/**
 * Makes an empty volume, and a configuration for it.
 *
 * @param {string} folder
 * @param {(volume: string) => object} members of the configuration
 */
function configuration(folder, members) {
  const volume = join(folder, "volume");
  rmSync(volume, { recursive: true, force: true });
  mkdirSync(volume);
  const path = join(folder, "config.json");
  writeFileSync(path, JSON.stringify({ version: 1, roots: [volume], ...members(volume) }));
  return { path, volume };
}

/**
 * @typedef {import("./harness/measured-run.mjs").Run & { server: number }} Sample `server`: seconds of the server's processor
 * time
 */

/** @param {string} folder */
async function bundles(folder) {
  const names = Array.from({ length: FILES }, (_, index) => `${index}.jar`);
  for (const name of names) writeFileSync(join(folder, name), randomFillSync(Buffer.alloc(FILE_BYTES)));
  const server = await kindling(folder);
  try {
    const staged = await stage(server, folder, names);
    const fork = await stageAsFork(server, folder, names);
    const emptyVolume = () => configuration(folder, () => ({})).volume;
    const [sparkHome = ""] = (process.env["SPARK_HOMES"] ?? "").split(",");
    const java = sparkHome === "" ? undefined : forkWithin(sparkHome, folder);
    /** @param {() => import("./harness/measured-run.mjs").Command} way */
    const measured = (way) => async () => {
      const command = way();
      const before = cpuSeconds(server.pid);
      const sample = await measuredRun(command);
      return { ...sample, server: cpuSeconds(server.pid) - before };
    };
    const ways = {
      kindling: measured(() => localizerWay(server, folder, staged)),
      java: java && measured(() => java(fork, emptyVolume())),
      tar: measured(() => curlAndTar(fork, emptyVolume())),
      python: measured(() => python(fork, emptyVolume())),
    };
    return bundleTable(await byTurns(ROUNDS, ways, { warmUp: 1 }));
  } finally {
    await server.stop();
  }
}

/**
 * @param {{ uri: string }} server
 * @param {string} folder
 * @param {import("./localizer/stage.mjs").Staged} staged
 */
function localizerWay({ uri }, folder, { id, secretFile, files }) {
  const { path } = configuration(folder, (volume) => ({
    bundles: { submission: { server: uri, id, secretFile } },
    files: files.map(({ name, digest, size, mode }) => {
      return { from: { bundle: "submission", file: name }, to: `${volume}/${name}`, digest, size, mode };
    }),
  }));
  return { command: process.execPath, args: [...NODE_OPTIONS, LOCALIZER, path], env: {} };
}

/** @type {Readonly<Record<string, string>>} */
const NAMES = { java: "fork's way in a JVM", tar: "curl, gzip, tar", python: "python, zlib" };

/** @param {{ readonly kindling: readonly Sample[], readonly [way: string]: readonly Sample[] }} samples */
function bundleTable({ kindling: ours, ...others }) {
  const ways = Object.entries(others).filter(([, samples]) => samples.length > 0);
  /**
   * @param {"cpu" | "wall" | "memory" | "server"} key
   * @param {string} label
   * @param {(value: number) => string} format
   */
  const row = (key, label, format) => {
    const cells = ways.map(([, theirs]) => {
      const ratio = median(ours.map((sample, round) => sample[key] / (theirs[round]?.[key] ?? Number.NaN)));
      return `${format(median(theirs.map((sample) => sample[key])))}, ${ratio.toFixed(2)}×`;
    });
    return [label, format(median(ours.map((sample) => sample[key]))), ...cells];
  };
  return table([
    ["300 MB of jars", "localizer", ...ways.map(([name]) => `${NAMES[name]}, and ratio`)],
    row("cpu", "CPU in the pod (wanted: at most 0.5× of the fork's way)", seconds),
    row("wall", "wall time", seconds),
    row("memory", "peak memory", mebibytes),
    row("server", "CPU of the server", seconds),
  ]);
}
