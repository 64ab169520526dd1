import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { describe, expect, test } from "vitest";
import { COMPILER } from "../src/manifest.ts";

const here = fileURLToPath(new URL("..", import.meta.url));
const BIN = join(here, "bin", "create-step.js");

interface Manifest {
  readonly name: string;
  readonly exports: { readonly ".": { readonly default: string } };
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function create(cwd: string, ...args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [BIN, ...args], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** As after `npm install`: the packages that it needs are those of this repository. */
function installInto(folder: string): void {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(here, "node_modules", "@kindling"), join(folder, "node_modules", "@kindling"));
  symlinkSync(join(here, "..", "..", "node_modules", "@types"), join(folder, "node_modules", "@types"));
}

function compile(cwd: string): void {
  const compiler = join(here, "..", "..", "node_modules", "typescript", "bin", "tsc");
  const { status, stdout } = spawnSync(process.execPath, [compiler], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(stdout);
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

describe.each(["javascript", "typescript"])("a package in %s", (language) => {
  const flags = language === "typescript" ? ["--typescript"] : [];

  test("has tests that pass, and a step of its name", async () => {
    const { path } = scratchFolder();
    const { status, stderr } = create(path, "cost-center", "--scope", "example", ...flags);
    expect(status, stderr).toBe(0);
    const folder = join(path, "cost-center");
    installInto(folder);
    if (language === "typescript") compile(folder);
    const tests = language === "typescript" ? ["dist/test/index.test.js"] : [];
    const ran = spawnSync(process.execPath, ["--test", ...tests], {
      cwd: folder,
      encoding: "utf8",
      env: withoutVitest(),
    });
    expect(ran.status, ran.stdout + ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(/^\S* ?pass 8$/m);

    const manifest = manifestIn(folder);
    const step = (await import(join(folder, manifest.exports["."].default))) as { default: { name: string } };
    expect(step.default.name).toBe("cost-center");
    expect(manifest.name).toBe("@example/cost-center");
    expect(readFileSync(join(folder, "README.md"), "utf8")).toContain("spark.cost-center.owner");
  });

  test("says what it needs in versions that are published", () => {
    const { path } = scratchFolder();
    create(path, ...flags, "--name", "kindling-steps-cost");
    const { name, peerDependencies, devDependencies } = manifestIn(path);
    expect(name).toBe("kindling-steps-cost");
    expect(Object.keys(peerDependencies)).toEqual(["@kindling/core-spec"]);
    for (const range of Object.values({ ...peerDependencies, ...devDependencies }))
      expect(range).toMatch(/^(\^|>=)\d+\.\d+\.\d+/);
    expect(existsSync(join(path, ".gitignore"))).toBe(true);
  });
});

/** Otherwise Node's test runner assumes that it is a part of this one. */
function withoutVitest(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, VITEST: _vitest, ...env } = process.env;
  return env;
}

test("the compiler is the one that this repository is built with", () => {
  const catalog = readFileSync(join(here, "..", "..", "pnpm-workspace.yaml"), "utf8");
  for (const [name, range] of Object.entries(COMPILER)) {
    expect(catalog).toMatch(new RegExp(`^ {2}"?${name}"?: \\^?${range.slice(1).replaceAll(".", "\\.")}$`, "m"));
  }
});

test("it tells what comes next", () => {
  const { path } = scratchFolder();
  const { stdout } = create(path, "cost");
  expect(stdout).toContain("  cd cost\n  npm install\n  npm test\n");
  expect(stdout).toContain("--steps ./src/index.js");
});

test("a repository that was just made is a folder to start in", () => {
  const { path } = scratchFolder({ ".git/HEAD": "ref: refs/heads/main\n" });
  const { status, stdout } = create(path, "--name", "cost");
  expect(status).toBe(0);
  expect(stdout).not.toContain("  cd ");
});

test("a folder that holds something is left as it is", () => {
  const { path } = scratchFolder({ "cost/notes.txt": "mine" });
  const { status, stderr } = create(path, "cost");
  expect(status).toBe(1);
  expect(stderr).toMatch(/^error: .*cost is not empty: there is notes\.txt\nhint: /);
  expect(readdirSync(join(path, "cost"))).toEqual(["notes.txt"]);
});

test.each([
  [["Cost"], '"Cost" cannot be the name of a package'],
  [["cost", "--name", "@a/b", "--scope", "c"], "the name has a scope already"],
  [["cost", "other"], "other"],
  [["cost", "--typoscript"], "--typescript"],
])("%j is refused", (args, message) => {
  const { path } = scratchFolder();
  const { status, stderr } = create(path, ...args);
  expect(status).toBe(1);
  expect(stderr).toContain(message);
  expect(readdirSync(path)).toEqual([]);
});

test("its help tells how it is called", () => {
  const { stdout } = create(scratchFolder().path, "--help");
  expect(stdout).toContain("npm create @kindling/step");
  expect(stdout).toContain("--typescript");
});
