import { once } from "node:events";
import { randomFillSync } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { curlAndTar, forkWithin, python } from "./localizer/fork-way.mjs";
import { measuredRun } from "./localizer/measured-run.mjs";
import { stage, stageAsFork } from "./localizer/stage.mjs";
import { median, mebibytes, seconds, table } from "./measure.mjs";
import { cpuSeconds } from "./staging/processes.mjs";
import { kindling } from "./staging/servers.mjs";

const LOCALIZER = fileURLToPath(new URL("../packages/localizer/bin/kindling-localizer.cjs", import.meta.url));
// As the image starts it.
const NODE_OPTIONS = ["--max-old-space-size=64"];
const STARTS = 21;
const ROUNDS = 7;
const FILES = 30;
const FILE_BYTES = 10_000_000;

/** The localizer: its start, and 300 MB of jars against the one tar.gz that the old fork's init container fetches. */
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

/** From the start of the process to its first request, and to its end, with one file of five bytes. */
async function starts(folder) {
  let requested;
  const server = createServer((_, response) => {
    requested = performance.now();
    response.end("hello");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const samples = { node: [], request: [], end: [] };
  for (let run = 0; run < STARTS; run++) {
    samples.node.push((await measuredRun({ command: process.execPath, args: ["-e", "0"] })).wall);
    const config = configuration(folder, ({ volume }) => ({
      files: [{ from: { uri: `http://127.0.0.1:${server.address().port}/x` }, to: `${volume}/x` }],
    }));
    const { began, wall } = await measuredRun({
      command: process.execPath,
      args: [...NODE_OPTIONS, LOCALIZER, config.path],
    });
    samples.request.push((requested - began) / 1000);
    samples.end.push(wall);
  }
  server.close();
  const node = median(samples.node);
  const row = (label, value, wanted) => [label, seconds(node), seconds(value), `${(value / node).toFixed(1)}×`, wanted];
  return table([
    ["measured", "node -e 0", "localizer", "ratio", "wanted"],
    row("start to first request", median(samples.request), "below 150 ms"),
    row("a whole run with one small file", median(samples.end), "below 150 ms"),
  ]);
}

/** An empty volume, and a configuration for it. */
function configuration(folder, members) {
  const volume = join(folder, "volume");
  rmSync(volume, { recursive: true, force: true });
  mkdirSync(volume);
  const path = join(folder, "config.json");
  writeFileSync(path, JSON.stringify({ version: 1, roots: [volume], ...members({ volume }) }));
  return { path, volume };
}

async function bundles(folder) {
  const names = Array.from({ length: FILES }, (_, index) => `${index}.jar`);
  for (const name of names) writeFileSync(join(folder, name), randomFillSync(Buffer.alloc(FILE_BYTES)));
  const server = await kindling(folder);
  try {
    const staged = await stage(server, folder, names);
    const fork = await stageAsFork(server, folder, names);
    const emptyVolume = () => configuration(folder, () => ({})).volume;
    const [sparkHome] = (process.env.SPARK_HOMES ?? "").split(",");
    const java = sparkHome === "" ? undefined : forkWithin(sparkHome, folder);
    const ways = {
      kindling: () => localizerWay(server, folder, staged),
      ...(java && { java: () => java(fork, emptyVolume()) }),
      tar: () => curlAndTar(fork, emptyVolume()),
      python: () => python(fork, emptyVolume()),
    };
    const samples = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
    for (let round = -1; round < ROUNDS; round++) {
      for (const [name, way] of Object.entries(ways)) {
        const command = way();
        const before = cpuSeconds(server.pid);
        const sample = await measuredRun(command);
        // The first round warms everybody up.
        if (round >= 0) samples[name].push({ ...sample, server: cpuSeconds(server.pid) - before });
      }
    }
    return bundleTable(samples);
  } finally {
    await server.stop();
  }
}

function localizerWay({ uri }, folder, { id, secretFile, files }) {
  const { path } = configuration(folder, ({ volume }) => ({
    bundles: { submission: { server: uri, id, secretFile } },
    files: files.map(({ name, digest, size, mode }) => {
      return { from: { bundle: "submission", file: name }, to: `${volume}/${name}`, digest, size, mode };
    }),
  }));
  return { command: process.execPath, args: [...NODE_OPTIONS, LOCALIZER, path], env: {} };
}

const NAMES = { java: "fork's way in a JVM", tar: "curl, gzip, tar", python: "python, zlib" };

function bundleTable({ kindling: ours, ...others }) {
  const names = Object.keys(others);
  const row = (key, label, format) => {
    const cells = names.map((name) => {
      const ratio = median(ours.map((sample, round) => sample[key] / others[name][round][key]));
      return `${format(median(others[name].map((sample) => sample[key])))}, ${ratio.toFixed(2)}×`;
    });
    return [label, format(median(ours.map((sample) => sample[key]))), ...cells];
  };
  return table([
    ["300 MB of jars", "localizer", ...names.map((name) => `${NAMES[name]}, and ratio`)],
    row("cpu", "CPU in the pod (wanted: at most 0.5× of the fork's way)", seconds),
    row("wall", "wall time", seconds),
    row("memory", "peak memory", mebibytes),
    row("server", "CPU of the server", seconds),
  ]);
}
