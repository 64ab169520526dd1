import { findCommand, runCommand, shownCommands, streamOutput } from "@kindling/command-line";
import { createRedactor } from "@kindling/core-spec";
import { systemOutside } from "@kindling/outside";
import { beforeAll, describe, expect, test } from "vitest";
import { FLAGS } from "@kindling/spark-arguments";
import { KINDLING } from "../../src/commands/command-table.ts";
import { start } from "../fixtures/kindling-process.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

const scripts = new Map<string, string>();

beforeAll(async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    let script = "";
    const stdout = { isTTY: false, write: (text: string) => void (script += text) };
    const secrets = createRedactor();
    const context = {
      outside: systemOutside(),
      output: streamOutput({ stdout, stderr: stdout }, {}, secrets),
      secrets,
      signal: new AbortController().signal,
      confirm: undefined,
    };
    const command = findCommand(KINDLING, "completion");
    if (command !== undefined) await runCommand(KINDLING, command, [shell], context);
    scripts.set(shell, script);
  }
});

/** What a real bash offers for the last word of a command line, in a folder with some files. */
async function offered(...words: string[]): Promise<string[]> {
  const folder = scratchFolder({ "app.py": "", "app.jar": "", "completion.bash": scripts.get("bash") ?? "" });
  folder.writeScript("bin/kindling", '[ "$1" = complete ] && printf "%s\\n" "$2:one" "$2:two"');
  const program = `
    source ./completion.bash
    compopt() { :; }
    COMP_WORDS=(kindling "$@"); COMP_CWORD=$#
    _kindling
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { PATH: `${folder.path}/bin:${process.env["PATH"]}` };
  const { code, stdout, stderr } = await start("bash", ["-c", program, "bash", ...words], { cwd: folder.path, env })
    .ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.split("\n").filter((line) => line !== "");
}

describe("bash", () => {
  test("can read the script", async () => {
    const path = scratchFolder().write("completion.bash", scripts.get("bash") ?? "");
    expect(await start("bash", ["-n", path], {}).ended).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test.each<[readonly string[], readonly string[]]>([
    [["su"], ["submit"]],
    [
      ["submit", "--exec"],
      ["--executor-memory", "--executor-cores", "--executor"],
    ],
    [
      ["submit", "--deploy-mode", ""],
      ["cluster", "client"],
    ],
    [["submit", "--conf", "spark.kubernetes.driver.podTemplateF"], ["spark.kubernetes.driver.podTemplateFile="]],
    [["submit", "--conf", "spark.kubernetes.driver.lab"], ["spark.kubernetes.driver.label."]],
    [
      ["submit", "--jars", "app."],
      ["app.jar", "app.py"],
    ],
    [
      ["submit", "app."],
      ["app.jar", "app.py"],
    ],
    [["explain", "--dry"], ["--dry-run"]],
    [["kill", "--gr"], ["--grace-period"]],
    [["logs", "applications:t"], ["applications:two"]],
    [
      ["status", "-n", ""],
      ["namespaces:one", "namespaces:two"],
    ],
    [["submit", "--context", "contexts:o"], ["contexts:one"]],
    [["config", "spark.kubernetes.driver.podTemplateF"], ["spark.kubernetes.driver.podTemplateFile"]],
    [
      ["dev", ""],
      ["connect", "down", "env", "run", "status", "up", "watch"],
    ],
    [["config", "--o"], ["--output"]],
    [
      ["submit", "-o", ""],
      ["json", "yaml"],
    ],
    [
      ["list", "--output", ""],
      ["json", "name", "table", "yaml"],
    ],
    [["staging", "l"], ["ls"]],
    [["completion", "f"], ["fish"]],
    [["nonsense", "--"], []],
  ])("offers for %j: %j", async (words, expected) => {
    expect((await offered(...words)).sort()).toEqual([...expected].sort());
  });

  test("offers all commands", async () => {
    const commands = [...shownCommands(KINDLING).map(({ name }) => name), "dev", "serve", "staging-server"];
    expect((await offered("")).sort()).toEqual([...commands, "--help", "--version"].sort());
  });
});

describe("zsh and fish", () => {
  test("zsh gets bash's script behind its own preamble", () => {
    expect(scripts.get("zsh")).toBe(
      `#compdef kindling\nautoload -U +X bashcompinit && bashcompinit\n${scripts.get("bash")}`,
    );
  });

  test("fish gets every command and every flag, well quoted", () => {
    const lines = (scripts.get("fish") ?? "").trimEnd().split("\n");
    for (const { name } of shownCommands(KINDLING))
      expect(lines.some((line) => line.includes(`-a ${name} -d '`))).toBe(true);
    for (const { name } of FLAGS) {
      const own = lines.filter((line) => line.includes(`from submit' -l ${name.slice(2)} `));
      expect(own).toHaveLength(1);
    }
    const unquoted = lines.map((line) => line.replaceAll(/\\./g, "").replaceAll(/'[^']*'/g, ""));
    expect(unquoted.filter((line) => line.includes("'"))).toEqual([]);
  });
});
