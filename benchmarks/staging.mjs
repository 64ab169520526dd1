// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { median, mebibytes, seconds } from "./harness/figures.mjs";
import { table } from "./harness/table.mjs";
import { manyAtOnce } from "./staging/many-at-once.mjs";
import { dockerRegistry, kindling, nginx } from "./staging/servers.mjs";
import { digestSeconds, download, freshFile, upload } from "./staging/transfers.mjs";

const SIZE = 512 * 1024 * 1024;
const ROUNDS = 7;
const MANY = { count: 64, size: 32 * 1024 * 1024, hotSize: 64 * 1024 * 1024, pauseMs: 2_000 };

/** @typedef {"kindling" | "nginx" | "registry"} ServerName */
/** @typedef {"upload" | "download"} Direction */
/** @typedef {Record<ServerName, Record<Direction, import("./staging/transfers.mjs").Transfer[]>>} Samples of each round */

/** The staging server compared with nginx, which verifies nothing, and with a registry, which verifies uploads. */
export async function staging() {
  const missing = ["nginx", "docker-registry", "curl"].filter((name) => spawnSync("which", [name]).status !== 0);
  if (missing.length > 0) return `\`staging\` was left out: ${missing.join(", ")} not installed.\n`;
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-"));
  try {
    const samples = await transfers(folder);
    const memory = await openTransfers(folder);
    const load = loadavg()[0]?.toFixed(1);
    const digest = median([1, 2, 3].map(() => digestSeconds(SIZE)));
    /** @param {ServerName} name */
    const cpu = (name) => median(samples[name].upload.map((sample) => sample.cpu));
    return `${transferTable(samples)}\n${table([
      ["measured", "found", "wanted"],
      ["SHA-256 of a file, CPU", seconds(digest), ""],
      ["upload CPU to that of nginx and SHA-256", `${(cpu("kindling") / (cpu("nginx") + digest)).toFixed(2)}×`, ""],
      ["memory, idle", mebibytes(memory.idle), ""],
      [`memory, ${MANY.count} uploads and ${MANY.count} downloads open`, mebibytes(memory.peak), "at most 128 MiB"],
    ])}\n${SIZE / 1024 / 1024} MiB a transfer; medians of ${ROUNDS} interleaved rounds; load average ${load} at the end.\n`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Every server receives and sends a file in each round, so that other load on the computer affects all of them.
 *
 * @param {string} folder
 */
async function transfers(folder) {
  const servers = {
    kindling: await kindling(folder),
    nginx: await nginx(folder),
    registry: await dockerRegistry(folder),
  };
  // The client's file is in memory if possible, because this measures how servers use their disks.
  const scratch = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : folder, "kindling-benchmark-"));
  try {
    return await interleaved(servers, join(scratch, "file"));
  } finally {
    rmSync(scratch, { recursive: true });
    for (const server of Object.values(servers)) await server.stop();
  }
}

/** @type {readonly ServerName[]} */
const NAMES = ["kindling", "nginx", "registry"];

/** How a file is sent in each direction. */
const TRANSFERS = { upload, download };

/** @type {readonly Direction[]} */
const DIRECTIONS = ["upload", "download"];

/**
 * @param {Readonly<Record<ServerName, import("./staging/servers.mjs").FileServer>>} servers
 * @param {string} path of the client's file
 * @returns {Promise<Samples>}
 */
async function interleaved(servers, path) {
  /** @type {Samples} */
  const samples = {
    kindling: { upload: [], download: [] },
    nginx: { upload: [], download: [] },
    registry: { upload: [], download: [] },
  };
  for (let round = -1; round < ROUNDS; round++) {
    const file = freshFile(path, SIZE);
    // The order changes, so that a server does not always follow the same other server.
    const first = (round + NAMES.length) % NAMES.length;
    const order = [...NAMES.slice(first), ...NAMES.slice(0, first)];
    for (const direction of DIRECTIONS) {
      for (const name of order) {
        const sample = await TRANSFERS[direction](servers[name], file);
        // The first round warms up all servers, and is not counted.
        if (round >= 0) samples[name][direction].push(sample);
      }
    }
    file.remove();
  }
  return samples;
}

/** @type {readonly (readonly [key: "cpu" | "wall", label: string])[]} */
const MEASURED = [
  ["cpu", "server CPU"],
  ["wall", "wall time"],
];

/** @param {Samples} samples */
function transferTable(samples) {
  const wanted = {
    upload: { nginx: "at most 1.2×", registry: "below 1×" },
    download: { nginx: "CPU at most 6×", registry: "at most 1×" },
  };
  const rows = [
    ["measured", "kindling", "nginx dav", "docker-registry", "to nginx", "wanted", "to registry", "wanted"],
  ];
  for (const direction of DIRECTIONS) {
    for (const [key, label] of MEASURED) {
      /** @param {ServerName} name */
      const of = (name) => median(samples[name][direction].map((sample) => sample[key]));
      /** @param {ServerName} name */
      const ratios = (name) =>
        median(
          samples.kindling[direction].map((own, round) => own[key] / (samples[name][direction][round]?.[key] ?? 0)),
        );
      rows.push([
        `${direction}, ${label}`,
        seconds(of("kindling")),
        seconds(of("nginx")),
        seconds(of("registry")),
        `${ratios("nginx").toFixed(2)}×`,
        key === "wall" && direction === "download" ? "" : wanted[direction].nginx,
        `${ratios("registry").toFixed(2)}×`,
        wanted[direction].registry,
      ]);
    }
  }
  return table(rows);
}

/** @param {string} folder */
async function openTransfers(folder) {
  const server = await kindling(join(folder), {
    "store-path": join(folder, "many"),
    "limits-uploads-per-client": MANY.count,
  });
  const hot = freshFile(join(folder, "hot"), MANY.hotSize);
  try {
    await upload(server, hot);
    return await manyAtOnce(server, { ...MANY, hot });
  } finally {
    await server.stop();
  }
}
