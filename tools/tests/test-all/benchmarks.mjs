// @ts-check
// Runs all benchmarks for their verdicts: a figure that misses its target fails. The tables are thrown away.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "kindling-bench-"));
const { status } = spawnSync("npm", ["run", "bench", "--", "all", "--output", folder], { stdio: "inherit" });
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;
