import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { median, mebibytes, seconds, table } from "./measure.mjs";
import { manyAtOnce } from "./staging/many-at-once.mjs";
import { dockerRegistry, kindling, nginx } from "./staging/servers.mjs";
import { digestSeconds, download, freshFile, upload } from "./staging/transfers.mjs";

const SIZE = 512 * 1024 * 1024;
const ROUNDS = 7;
const MANY = { count: 64, size: 32 * 1024 * 1024, hotSize: 64 * 1024 * 1024, pauseMs: 2_000 };

/** The staging server against nginx, which verifies nothing, and a registry, which verifies what it takes. */
export async function staging() {
  const missing = ["nginx", "docker-registry", "curl"].filter((name) => spawnSync("which", [name]).status !== 0);
  if (missing.length > 0) return `\`staging\` was left out: ${missing.join(", ")} not installed.\n`;
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-"));
  try {
    const samples = await transfers(folder);
    const memory = await openTransfers(folder);
    const load = loadavg()[0]?.toFixed(1);
    const digest = median([1, 2, 3].map(() => digestSeconds(SIZE)));
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

/** Every server takes and gives a file in each round, so that whatever else the machine does meets all of them. */
async function transfers(folder) {
  const servers = {
    kindling: await kindling(folder),
    nginx: await nginx(folder),
    registry: await dockerRegistry(folder),
  };
  const names = Object.keys(servers);
  // The client's file is in memory, where there is such a place: this is about what servers do with their disks.
  const scratch = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : folder, "kindling-benchmark-"));
  try {
    return await interleaved(servers, join(scratch, "file"));
  } finally {
    rmSync(scratch, { recursive: true });
    for (const name of names) await servers[name].stop();
  }
}

async function interleaved(servers, path) {
  const names = Object.keys(servers);
  const samples = Object.fromEntries(names.map((name) => [name, { upload: [], download: [] }]));
  for (let round = -1; round < ROUNDS; round++) {
    const file = freshFile(path, SIZE);
    // Not always the same one after the same other one.
    const order = names.map((_, index) => names[(index + round + names.length) % names.length]);
    for (const [direction, transfer] of Object.entries({ upload, download })) {
      for (const name of order) {
        const sample = await transfer(servers[name], file);
        // The first round warms everybody up.
        if (round >= 0) samples[name][direction].push(sample);
      }
    }
    file.remove();
  }
  return samples;
}

function transferTable(samples) {
  const wanted = {
    upload: { nginx: "at most 1.2×", registry: "below 1×" },
    download: { nginx: "CPU at most 6×", registry: "at most 1×" },
  };
  const rows = [
    ["measured", "kindling", "nginx dav", "docker-registry", "to nginx", "wanted", "to registry", "wanted"],
  ];
  for (const direction of ["upload", "download"]) {
    for (const [key, label] of [
      ["cpu", "server CPU"],
      ["wall", "wall time"],
    ]) {
      const of = (name) => median(samples[name][direction].map((sample) => sample[key]));
      const ratios = (name) =>
        median(samples.kindling[direction].map((sample, round) => sample[key] / samples[name][direction][round][key]));
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
