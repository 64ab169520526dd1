import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const COMMAND = fileURLToPath(new URL("../bin/kindling-operator.cjs", import.meta.url));
const MANIFEST = new URL("../package.json", import.meta.url);

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

test("the version is that of the package", async () => {
  const { version } = JSON.parse(readFileSync(MANIFEST, "utf8")) as { version: string };
  expect(await run("version")).toMatchObject({ code: 0, stdout: `kindling-operator ${version}\n` });
});

test("help is given where nothing is asked for, or help is", async () => {
  for (const args of [[], ["help"], ["controller", "start", "--help"]]) {
    const { code, stdout } = await run(...args);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("kindling-operator controller start"),
    });
  }
});

test("what cannot be carried out is an error with a hint, and ends", async () => {
  expect(await run("webhook", "start")).toMatchObject({ code: 1, stderr: expect.stringContaining("needs no webhook") });
  expect(await run("controller", "stop")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no command "controller stop"'),
  });
  expect(await run("controller", "start", "--kubeconfig=/nowhere/config")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--kubeconfig"),
  });
});
