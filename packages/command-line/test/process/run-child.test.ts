import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runningProcess, type Finished } from "@kindling/test-kit/running-process";
import { describe, expect, onTestFinished, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("program.mjs", import.meta.url));

/** Runs another program from this one, and sends this one a signal when the other one has started. */
async function ended(place: string, signal: NodeJS.Signals): Promise<Finished> {
  const child = spawn(process.execPath, [PROGRAM, "child", place], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const running = runningProcess(child);
  await running.saying("started");
  child.kill(signal);
  return running.ended;
}

const started = (...args: readonly string[]): Promise<Finished> =>
  runningProcess(spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "pipe", "pipe"] })).ended;

test.each(["beside", "in-place"])(
  "SIGTERM is passed on to a program %s, whose exit code is the answer",
  async (place) => {
    expect(await ended(place, "SIGTERM")).toEqual({ code: 3, stdout: "started\nended by TERM\n", stderr: "" });
  },
);

describe("a program in the place of this one", () => {
  test("gets a SIGINT that no terminal sends", async () => {
    expect(await ended("in-place", "SIGINT")).toEqual({ code: 4, stdout: "started\nended by INT\n", stderr: "" });
  });

  test("ends when this one is killed", async () => {
    // Both hold the streams, so this is the end of both.
    expect(await ended("in-place", "SIGKILL")).toMatchObject({ stdout: "started\nended by TERM\n" });
  });
});

test("all interrupts of a terminal belong to a program that goes on after them", async () => {
  const child = spawn(process.execPath, [PROGRAM, "shell"], { stdio: ["ignore", "pipe", "pipe"], detached: true });
  onTestFinished(() => void child.kill("SIGKILL"));
  const running = runningProcess(child);
  await running.saying("started");
  for (const count of [1, 2, 3]) {
    // A terminal sends it to all processes of the group.
    process.kill(-(child.pid ?? 0), "SIGINT");
    await running.saying(`interrupted ${count}`);
  }
  expect(await running.ended).toMatchObject({ code: 5, stderr: "" });
});

test.each(["beside", "in-place"])("a program %s that is not there is named", async (place) => {
  const { code, stderr } = await started("missing", place);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: \/no\/such\/program cannot be run: ENOENT$/m);
});
