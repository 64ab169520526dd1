import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runningProcess, type RunningProcess } from "@kindling/test-kit/running-process";
import { describe, expect, onTestFinished, test } from "vitest";

const PROGRAM = fileURLToPath(new URL("program.mjs", import.meta.url));

function start(program: string, ...args: readonly string[]): RunningProcess {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return runningProcess(child);
}

const run = (...args: readonly string[]): RunningProcess => start(process.execPath, PROGRAM, ...args);

test("the exit code is the command's", async () => {
  expect(await run("code", "7").ended).toEqual({ code: 7, stdout: "", stderr: "" });
});

test("no secret that is known gets out, and nothing that a terminal obeys", async () => {
  const { stdout, stderr } = await run("secret").ended;
  expect(stdout).toBe("the password is ***\n");
  expect(stderr).toBe("so it is: ***\\u{1b}[2J\n");
});

test("a reader that goes away is no fault", async () => {
  const { code, stdout, stderr } = await start(
    "bash",
    "-c",
    `set -o pipefail; ${process.execPath} ${PROGRAM} lines | head -n 1`,
  ).ended;
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "line 0\n", stderr: "" });
});

describe("an error", () => {
  test("made for the user is a line and a hint, and with --verbose what caused it", async () => {
    const told = "error: cannot read x\nhint: mend it\n";
    expect(await run("refuse").ended).toEqual({ code: 1, stdout: "", stderr: told });
    expect(await run("refuse", "--verbose").ended).toMatchObject({ stderr: `${told}caused by: the disk is gone\n` });
    expect(await run("refuse", "--", "-v").ended).toMatchObject({ stderr: told });
  });

  test("that nobody foresaw says so, and with --verbose where in the program it came from", async () => {
    const { code, stderr } = await run("fault").ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        "error: this is a fault of kindling itself: nobody foresaw this\n" +
        "hint: please report it, with the output of --verbose\n",
    });
    expect((await run("fault", "-v").ended).stderr).toMatch(
      /\nhint: .*\nTypeError: nobody foresaw this\n +at .*program/,
    );
  });
});

describe.each(["SIGINT", "SIGTERM"] as const)("%s", (signal) => {
  test("is told to the command, whose interruption is 130 and no error", async () => {
    const process = run("wait");
    await process.saying("waiting");
    process.child.kill(signal);
    expect(await process.ended).toEqual({ code: 130, stdout: `waiting\ntold by ${signal}\n`, stderr: "" });
  });

  test("ends the process at once when it comes twice", async () => {
    const process = run("hang");
    await process.saying("waiting");
    process.child.kill(signal);
    await process.saying("told");
    process.child.kill(signal);
    await process.ended;
    expect(process.child.signalCode).toBe(signal);
  });
});
