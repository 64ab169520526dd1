import { createRedactor } from "@kindling/core-spec";
import { systemOutside } from "@kindling/outside";
import { expect, test } from "vitest";
import {
  HELP_OPTION,
  runProgram,
  streamOutput,
  type CommandWithOwnGrammar,
  type DeclaredCommand,
  type Program,
  type RunCommand,
} from "../src/index.ts";

const up: RunCommand = (line, { output }) => {
  output.out(`up at ${line.value("port")}\n`);
  return Promise.resolve(7);
};

const UP: DeclaredCommand = {
  name: "up",
  summary: "start it",
  options: [{ name: "port", value: "N", help: "which" }, HELP_OPTION],
  examples: ["kindling dev up"],
  load: () => Promise.resolve(up),
};

const RAW: CommandWithOwnGrammar = {
  name: "raw",
  summary: "reads its arguments itself",
  load: () =>
    Promise.resolve((argv, { output }) => {
      output.out(argv.join("|"));
      return Promise.resolve(0);
    }),
};

const PROGRAM: Program = {
  name: "kindling dev",
  about: "About it.",
  commands: [UP, RAW, { ...RAW, name: "inner", hidden: true }],
  examples: ["kindling dev up"],
  takesApplication: "raw",
};

/** What a command line prints, and its exit code. */
async function run(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const text = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr") => ({
    isTTY: false,
    write: (more: string): void => void (text[name] += more),
  });
  const secrets = createRedactor();
  const context = {
    outside: systemOutside(),
    output: streamOutput({ stdout: stream("stdout"), stderr: stream("stderr") }, {}, secrets),
    secrets,
    signal: new AbortController().signal,
    confirm: undefined,
  };
  const code = await runProgram(PROGRAM, argv, context);
  return { code, ...text };
}

test("a command gets its options, and its result is the exit code", async () => {
  expect(await run("up", "--port", "1")).toEqual({ code: 7, stdout: "up at 1\n", stderr: "" });
});

test("a command with a grammar of its own gets everything as it is", async () => {
  expect(await run("raw", "--help", "-x", "--")).toEqual({ code: 0, stdout: "--help|-x|--", stderr: "" });
});

test.each([["--help"], ["-h"]])("%s prints a command's help, whatever else is wrong with its line", async (flag) => {
  const { code, stdout } = await run("up", "--no-such", flag);
  expect(code).toBe(0);
  expect(stdout).toContain("Usage: kindling dev up [flags]");
});

test.each([["--help"], ["-h"], ["help"]])("%s prints the program's help", async (word) => {
  expect(await run(word)).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringContaining("Commands:") as string,
  });
});

test("no command at all is answered with the help, as an error", async () => {
  expect(await run()).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/^About it\./) as string });
});

test("a command that is not there is named, with the one that was probably meant", async () => {
  const { code, stderr } = await run("ip");
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: there is no command 'ip'\nhint: did you mean up\?\n$/);
  expect((await run("sideways")).stderr).toMatch(/^error: there is no command 'sideways'\nhint: kindling dev --help/);
});

test("a hidden command can be called, and is not told of", async () => {
  expect(await run("inner", "x")).toEqual({ code: 0, stdout: "x", stderr: "" });
  expect((await run("--help")).stdout).not.toContain("inner");
  expect((await run("innr")).stderr).toMatch(
    /^error: there is no command 'innr'\nhint: kindling dev --help tells of all commands\n$/,
  );
});

test.each(["app.py", "./lib/app.jar", "model.R"])("%s in the command's place is told of the command", async (file) => {
  const { code, stderr } = await run(file, "1");
  expect(code).toBe(1);
  expect(stderr).toContain(`error: there is no command '${file}'\nhint: did you mean kindling dev raw ${file}?\n`);
});
