import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BIN, kindling, start } from "../fixtures/kindling-process.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

const PATH = process.env["PATH"] ?? "";

/** A folder with executable shell scripts. */
function executables(scripts: Readonly<Record<string, string>>, folder: string = scratchFolder().path): string {
  mkdirSync(folder, { recursive: true });
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return folder;
}

const withFolder = (folder: string): { env: Record<string, string> } => ({ env: { PATH: `${folder}:${PATH}` } });

describe("kindling NAME runs kindling-NAME", () => {
  test("with the arguments as they are, and with its exit code", async () => {
    const folder = executables({ "kindling-hello-world": 'printf "%s|" "$@"; echo oops >&2; exit 7' });
    const args = ["hello-world", "--help", "two words", "", "-v"];
    expect(await kindling(args, withFolder(folder))).toEqual({
      code: 7,
      stdout: "--help|two words||-v|",
      stderr: "oops\n",
    });
  });

  test("found where kindling itself is installed", async () => {
    const project = scratchFolder().path;
    const bin = executables({ "kindling-hello": "echo hello" }, join(project, "node_modules", ".bin"));
    symlinkSync(BIN, join(bin, "kindling"));
    const { stdout } = await start(process.execPath, [join(bin, "kindling"), "hello"], {}).ended;
    expect(stdout).toBe("hello\n");
  });

  test("but never in place of a command of its own", async () => {
    const folder = executables({ "kindling-config": "echo other", "kindling-help": "echo other" });
    expect((await kindling(["config", "spark.app.name"], withFolder(folder))).stdout).not.toBe("other\n");
    expect((await kindling(["help"], withFolder(folder))).stdout).toContain("Usage: kindling");
  });

  test("and tells it when it is to end itself", async () => {
    const script = "trap 'echo told; exit 3' TERM; echo up; while :; do sleep 0.05; done";
    const folder = executables({ "kindling-patience": script });
    const running = start(process.execPath, [BIN, "patience"], withFolder(folder));
    await running.saying("up");
    running.child.kill("SIGTERM");
    expect(await running.ended).toMatchObject({ code: 3, stdout: "up\ntold\n" });
  });
});

test("the help lists them", async () => {
  const folder = executables({ "kindling-b": "", "kindling-a": "", "kindling-x": "" });
  chmodSync(join(folder, "kindling-x"), 0o644);
  const { stdout } = await kindling(["--help"], { env: { PATH: folder } });
  expect(stdout).toMatch(/^Commands of other packages:\n {2}a +runs kindling-a\n {2}b +runs kindling-b\n/m);
  expect(stdout).not.toContain("kindling-x");
});

test.each(["../kindling-a", "a/b", ""])("%j names none", async (name) => {
  const folder = executables({ "kindling-a": "echo wrong" });
  const { code, stdout } = await kindling([name], { ...withFolder(folder), cwd: folder });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
});
