import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { ALL_ROUNDS } from "@kindling/test-kit/rounds";

const HARNESS = fileURLToPath(new URL("power-loss.mjs", import.meta.url));
// Its exit code if it cannot make volumes.
const LEFT_OUT = 77;
// All required cuts with KINDLING_ROUNDS=all; otherwise one cut of each kind, as a check of the harness itself. The other
// tests of this folder show without randomness what a server does after each kind of loss.
const [CUTS, ...OPTIONS] = ALL_ROUNDS
  ? ["200", "--seconds=30"]
  : ["3", "--seconds=3", "--kills=0", "--seed=1", "--size=192"];

function run(args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const harness = execFile(process.execPath, [HARNESS, ...args], (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error === null ? 0 : 1, output: stdout + stderr });
    });
    onTestFinished(() => void harness.kill());
  });
}

it(`loses nothing that was acknowledged, and starts and collects, at ${CUTS} random losses of power`, async ({
  skip,
}) => {
  const { code, output } = await run([`--cuts=${CUTS}`, ...OPTIONS]);
  if (code === LEFT_OUT) skip(output);
  expect(output.split("\n").filter((line) => /^cut \d+:|FAILED/.test(line))).toEqual([]);
  expect(code, output).toBe(0);
}, 1_800_000);
