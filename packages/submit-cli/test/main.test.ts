import { readFileSync } from "node:fs";
import { shownCommands } from "@kindling/command-line";
import { describe, expect, test } from "vitest";
import { KINDLING } from "../src/commands/command-table.ts";
import { kindling } from "./fixtures/kindling-process.ts";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };

describe("kindling", () => {
  test.each([[["--help"]], [["-h"]], [["help"]]])("%j prints the help", async (args) => {
    const { code, stdout, stderr } = await kindling(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^Apache Spark on Kubernetes[^]*\nCommands:\n[^]*\nExamples:\n[^]*\nExit codes:\n/);
  });

  test("alone prints the help as an error", async () => {
    const { code, stdout, stderr } = await kindling([]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^Apache Spark on Kubernetes[^]*Commands:/);
  });

  test.each([[["--version"]], [["version"]]])("%j prints the version", async (args) => {
    const { code, stdout, stderr } = await kindling(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      new RegExp(`^kindling ${manifest.version.replaceAll(".", "\\.")} \\(Spark 3\\.5 to 4\\.\\d+\\)\n$`),
    );
  });

  test.each(shownCommands(KINDLING).map(({ name }) => name))("%s --help prints that command's help", async (name) => {
    const { code, stdout, stderr } = await kindling([name, "--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`Usage: kindling ${name}`);
  });

  test("spark-submit is there for its own package, and not told of", async () => {
    const { code, stderr } = await kindling(["spark-submit", "--help"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Usage: spark-submit /);
    const help = await kindling(["--help"]);
    expect(help.stdout).not.toMatch(/^ *spark-submit /m);
    const misspelt = await kindling(["spark-submi"]);
    expect(misspelt.stderr).toContain("error: there is no command 'spark-submi'\nhint: kindling --help");
  });

  test.each([["constructor"], ["__proto__"], ["toString"]])("has no command %s", async (name) => {
    const { code, stderr } = await kindling([name]);
    expect(code).toBe(1);
    expect(stderr).toContain(`error: there is no command '${name}'`);
  });
});
