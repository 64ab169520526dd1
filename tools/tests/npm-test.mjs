// @ts-check
// `npm test` and its quick forms. Without arguments it builds everything, tests the built files, and runs all checks. With tests,
// folders of tests or source files as arguments, and as `npm run test:watch` and `npm run test:affected`, it tests the sources of
// all packages: nothing is built, and the tests of a package see a change of another one. Only the commands that tests start are
// those of the last build.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { affectedProjects, workspaceDependencies } from "./affected-projects.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** A branch is compared with this one, if the repository has it. */
const UPSTREAM = "origin/main";

const { status } = spawnSync(process.execPath, [join(root, "tools", "with-pnpm.mjs"), ...command()], {
  cwd: root,
  env: process.env,
  stdio: "inherit",
});
process.exitCode = status ?? 1;

/** The arguments for pnpm. */
function command() {
  const [first, ...rest] = process.argv.slice(2);
  if (first === undefined) return ["run", "test:workspace"];
  process.env["KINDLING_TEST_SOURCES"] = "1";
  if (first === "--watch") return ["exec", "vitest", "watch", ...rest];
  if (first === "--affected") return ["exec", "vitest", "run", "--passWithNoTests", ...sinceThen(base()), ...rest];
  const sources = [first, ...rest].filter(isSource);
  if (sources.length === 0) return ["exec", "vitest", "run", first, ...rest];
  return ["exec", "vitest", "related", "--run", ...projectsOf(sources), first, ...rest];
}

/**
 * The packages of source files. Tests of other packages are left out: most of all tests import an export of core-spec.
 *
 * @param {readonly string[]} sources
 */
function projectsOf(sources) {
  const names = sources.flatMap((path) => /^(?:packages|apps|contrib)\/([^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(names)].map((name) => `--project=${name}`);
}

/** The commit with which the files are compared: the beginning of the branch, or the last commit if there is no such branch. */
function base() {
  const found = spawnSync("git", ["merge-base", UPSTREAM, "HEAD"], { cwd: root, encoding: "utf8" });
  return found.status === 0 ? found.stdout.trim() : "HEAD";
}

/**
 * The arguments for the tests of what has changed. Only projects that can be affected are named, so that vitest does not read the
 * imports of all others.
 *
 * @param {string} commit
 */
function sinceThen(commit) {
  /** @param {string[]} args */
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n");
  const changed = [...git("diff", "--name-only", commit), ...git("ls-files", "--others", "--exclude-standard")];
  const projects = affectedProjects(
    changed.filter((path) => path !== ""),
    workspaceDependencies(root),
  );
  return [`--changed=${commit}`, ...projects.map((name) => `--project=${name}`)];
}

/**
 * Whether this is a file that tests may import, and not a test.
 *
 * @param {string} path
 */
function isSource(path) {
  return !/\.test\.\w+$/.test(path) && existsSync(join(root, path)) && statSync(join(root, path)).isFile();
}
