import { describe, expect, test } from "vitest";
import { BIN, kindling, start, type Finished } from "../fixtures/kindling-process.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

const COLOR = "\u001B[";

/** Runs the command with a terminal for its streams, except for those that the shell line redirects. */
function inTerminal(line: string, env: Readonly<Record<string, string>> = {}): Promise<Finished> {
  return start("script", ["-qec", line.replace("kindling", `${process.execPath} ${BIN}`), "/dev/null"], {
    env: { TERM: "xterm", ...env },
  }).ended;
}

describe("colours", () => {
  test("are there for a terminal", async () => {
    expect((await inTerminal("kindling --help")).stdout).toContain(COLOR);
    expect((await inTerminal("kindling config spark.kubernetes.namespace")).stdout).toContain(COLOR);
    expect((await inTerminal("kindling submit --no-such-flag")).stdout).toContain(`${COLOR}31merror:`);
  });

  test.each([
    ["NO_COLOR", { NO_COLOR: "1" }],
    ["NO_COLOR, although they are forced", { NO_COLOR: "1", FORCE_COLOR: "1" }],
    ["a terminal that has none", { TERM: "dumb" }],
  ])("are not there with %s", async (_, env) => {
    expect((await inTerminal("kindling --help", env)).stdout).not.toContain(COLOR);
  });

  test("are there without a terminal only where they are forced", async () => {
    expect((await kindling(["--help"])).stdout).not.toContain(COLOR);
    expect((await kindling(["--help"], { env: { NO_COLOR: "" } })).stdout).not.toContain(COLOR);
    expect((await kindling(["--help"], { env: { FORCE_COLOR: "0" } })).stdout).not.toContain(COLOR);
    expect((await kindling(["--help"], { env: { FORCE_COLOR: "1" } })).stdout).toContain(COLOR);
    expect((await kindling(["nonsense"], { env: { FORCE_COLOR: "1" } })).stderr).toContain(`${COLOR}31merror:`);
  });

  test("do not go into a file or a pipe while messages go to a terminal", async () => {
    const folder = scratchFolder();
    await inTerminal(`kindling --help > ${folder.path}/help.txt`);
    const { stdout } = await start("cat", [`${folder.path}/help.txt`], {}).ended;
    expect(stdout).toContain("Usage: kindling COMMAND");
    const piped = await inTerminal("kindling config memory | cat");
    expect(piped.stdout).toContain("spark.driver.memory");
    expect(piped.stdout).not.toContain(COLOR);
  });
});

test("a reader that goes away is no fault", async () => {
  const { code, stdout, stderr } = await start(
    "bash",
    ["-c", `set -o pipefail; ${process.execPath} ${BIN} config -o json | head -c 1`],
    {},
  ).ended;
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "[", stderr: "" });
});
