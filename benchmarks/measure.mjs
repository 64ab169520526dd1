import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// What V8 has compiled is kept below the cache folder: the user's own may be of a run that came to little.
const XDG_CACHE_HOME = mkdtempSync(join(tmpdir(), "kindling-benchmark-cache-"));
process.once("exit", () => rmSync(XDG_CACHE_HOME, { recursive: true, force: true }));
const { NODE_EXTRA_CA_CERTS: _, ...inherited } = process.env;
const ENVIRONMENT = { ...inherited, XDG_CACHE_HOME };

/** Runs a command once: wall and CPU seconds, and peak memory in MiB. */
function measureOnce(command, args, env = {}) {
  const ran = spawnSync("/usr/bin/time", ["-f", "%e %U %S %M", command, ...args], {
    env: { ...ENVIRONMENT, ...env },
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (ran.status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${ran.stderr}`);
  const [wall, user, system, kilobytes] = ran.stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return { wall, cpu: user + system, memory: kilobytes / 1024 };
}

/**
 * Runs commands by turns, so that what else the machine does hits all of them alike.
 *
 * @param commands by name: how often each runs in a round, the program, its arguments and its environment
 * @returns by name, the medians of wall and CPU seconds, and of peak memory in MiB
 */
export function compare(rounds, commands) {
  const samples = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, { each, program, args, env }] of Object.entries(commands)) {
      for (let run = 0; run < each; run++) {
        // A finer clock than that of `time`.
        const started = process.hrtime.bigint();
        const sample = measureOnce(program, args, env);
        samples[name].push({ ...sample, wall: Number(process.hrtime.bigint() - started) / 1e9 });
      }
    }
  }
  const medians = (runs) =>
    Object.fromEntries(["wall", "cpu", "memory"].map((key) => [key, median(runs.map((run) => run[key]))]));
  return Object.fromEntries(Object.entries(samples).map(([name, runs]) => [name, medians(runs)]));
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Starts the stand-in API server; `stop` ends it. */
export async function startStub() {
  const child = spawn(process.execPath, [new URL("stub-api-server.mjs", import.meta.url).pathname], {
    env: ENVIRONMENT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  return { address: `127.0.0.1:${String(line).trim()}`, stop: () => child.kill() };
}

/** A markdown table; the first row is the head. */
export function table(rows) {
  const [head, ...body] = rows;
  return [head, head.map(() => "---"), ...body].map((row) => `| ${row.join(" | ")} |\n`).join("");
}

export const seconds = (value) => (value < 1 ? `${Math.round(value * 1000)} ms` : `${value.toFixed(2)} s`);
export const mebibytes = (value) => `${Math.round(value)} MiB`;
export const ratio = (value, digits = 1) => `1/${(1 / value).toFixed(digits)}`;
