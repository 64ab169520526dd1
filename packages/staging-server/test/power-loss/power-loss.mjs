// Cuts the power of a server under load, again and again, and checks the result.
//
//   node power-loss.mjs [--cuts 200] [--seconds 30] [--kills 2] [--seed 1] [--size 448] [--report FILE]
//
// A server runs on a file system on a disk that records all that is written to it (recording-disk.mjs), while clients
// upload, commit, bind, delete and collect, and the server is killed now and then. Then, for random moments, the state is
// made that a loss of power could have left at that moment; a server starts on it, and check.mjs says what must hold.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { freePort } from "@kindling/test-kit/free-port";
import { checkServer } from "./check.mjs";
import { CACHES, imageMaker } from "./disk-log.mjs";
import { now, putLoad } from "./load.mjs";
import { startServer } from "./server.mjs";
import { missingForVolumes, mountImage, recordingVolume } from "./volume.mjs";

const { values } = parseArgs({
  options: {
    cuts: { type: "string", default: "200" },
    seconds: { type: "string", default: "30" },
    kills: { type: "string", default: "2" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    size: { type: "string", default: "448" },
    report: { type: "string" },
  },
});
const given = [values.cuts, values.seconds, values.kills, values.seed, values.size];
const [cuts, seconds, kills, seed, mebibytes] = given.map(Number);
const bytes = mebibytes * 1024 * 1024;

// Not a failure: nothing could be tried.
const LEFT_OUT = 77;
const missing = missingForVolumes();
if (missing !== undefined) {
  process.stdout.write(`power loss: left out, because ${missing}\n`);
  process.exit(LEFT_OUT);
}
const random = mulberry32(seed);
const work = mkdtempSync(join(tmpdir(), "kindling-power-loss-"));
// However this ends, the modules of servers and volumes have cleaned these up before.
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
process.stdout.write(`${cuts} cuts in ${seconds} s of load, seed ${seed}\n\n`);
const { log, scene, from, to } = await record();
const results = await cutAll(log, scene, from, to);
const failed = results.filter(({ faults }) => faults.length > 0);
summarise(results, scene);
for (const { cut, faults } of failed) for (const fault of faults) process.stdout.write(`cut ${cut}: ${fault}\n`);
if (values.report !== undefined) writeFileSync(values.report, JSON.stringify({ results, failed: failed.length }));
process.exitCode = failed.length === 0 ? 0 : 1;

/** Load on a recording disk. */
async function record() {
  const volume = await recordingVolume(work, bytes).catch(leaveOut);
  const scratch = join(work, "client");
  mkdirSync(scratch);
  const folder = join(volume.folder, "data");
  const port = await freePort();
  const from = now();
  let server = await startServer(folder, port);
  const load = { running: true };
  try {
    const loaded = putLoad(server.uri, scratch, { seconds, random }).finally(() => (load.running = false));
    // The result is checked below.
    loaded.catch(() => undefined);
    for (let killed = 0; killed < kills; killed++) {
      await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / (kills + 1)));
      if (!load.running) break;
      await server.kill();
      server = await startServer(folder, port);
    }
    const scene = await loaded;
    return { log: volume.log, scene, from, to: now() };
  } finally {
    await server.stop();
    await volume.close();
  }
}

/** As in a container that may not mount. */
function leaveOut(error) {
  process.stdout.write(`power loss: left out, because no volume can be made: ${error.message}\n`);
  process.exit(LEFT_OUT);
}

async function cutAll(log, scene, from, to) {
  const images = imageMaker(log, join(work, "base"), bytes, random);
  const times = cutTimes(images.writeTimes, from, to);
  const results = [];
  process.stdout.write(
    "| cut | at | cache | writes | unflushed | start | acknowledged bundles | deleted | files read | damaged | result |\n",
  );
  process.stdout.write("|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (const [index, time] of times.sort((a, b) => a - b).entries()) {
    const cache = CACHES[index % CACHES.length];
    // A file for each: a volume that is busy is unmounted later, and then still writes to the file that it is on.
    const image = join(work, `image-${index}`);
    const scratch = join(work, "check");
    mkdirSync(scratch, { recursive: true });
    const { writes, volatile } = images.imageAt(time, cache, image);
    const seconds = (time - from) / 1e6;
    const result = {
      cut: index + 1,
      seconds,
      cache,
      writes,
      volatile,
      ...(await checkImage(image, scratch, scene, time)),
    };
    rmSync(image);
    results.push(result);
    process.stdout.write(`${row(result)}\n`);
  }
  images.close();
  return results;
}

/** Every second cut is at any moment, the others are right after a write: at most moments, a disk is idle. */
function cutTimes(writeTimes, from, to) {
  const writes = writeTimes.filter((time) => time >= from && time <= to);
  return Array.from({ length: cuts }, (_, index) =>
    index % 2 === 0 ? from + Math.floor(random() * (to - from)) : writes[Math.floor(random() * writes.length)],
  );
}

async function checkImage(image, scratch, scene, time) {
  let volume;
  try {
    volume = mountImage(image, join(work, "cut"));
  } catch (error) {
    return { faults: [`the file system cannot be mounted: ${error.message}`] };
  }
  try {
    return await checkServer(join(volume.folder, "data"), scratch, scene, time);
  } finally {
    volume.unmount();
  }
}

function row({ cut, seconds, cache, writes, volatile, startMs, kept, gone, served, damaged, faults }) {
  const cells = [
    cut,
    `${seconds.toFixed(3)} s`,
    cache,
    writes,
    volatile,
    startMs === undefined ? "-" : `${Math.round(startMs)} ms`,
    kept,
    gone,
    served,
    damaged,
    faults.length === 0 ? "ok" : "FAILED",
  ];
  return `| ${cells.join(" | ")} |`;
}

function summarise(results, { bundles }) {
  const sum = (name) => results.reduce((total, result) => total + (result[name] ?? 0), 0);
  const failed = results.filter(({ faults }) => faults.length > 0).length;
  process.stdout.write(
    `\n${results.length} cuts, ${failed} failed; ${bundles.length} bundles committed under load; over all cuts ` +
      `${sum("kept")} acknowledged bundles, ${sum("gone")} acknowledged deletions, ${sum("served")} files read, ` +
      `${sum("damaged")} damaged documents and files put aside\n`,
  );
}

/** A small generator of random numbers that gives the same ones for the same seed. */
function mulberry32(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
