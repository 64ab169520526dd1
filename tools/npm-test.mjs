// `npm test` and its quick sisters. Alone, it builds everything, and tests what was built, with all checks. With tests, folders of
// them or source files behind it, and as `npm run test:watch` and `npm run test:affected`, it tests the sources of all packages as
// they are: nothing is built, and a change of one package is seen by the tests of another. Only the commands that tests start are
// those of the last build.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { affectedProjects, workspaceDependencies } from "./affected-projects.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** With what a branch is compared, if this repository has it. */
const UPSTREAM = "origin/main";

const { status } = spawnSync(process.execPath, [join(root, "tools", "with-pnpm.mjs"), ...command()], {
  cwd: root,
  env: process.env,
  stdio: "inherit",
});
process.exitCode = status ?? 1;

/** What pnpm is to run. */
function command() {
  const [first, ...rest] = process.argv.slice(2);
  if (first === undefined) return ["run", "test:workspace"];
  process.env.KINDLING_TEST_SOURCES = "1";
  if (first === "--watch") return ["exec", "vitest", "watch", ...rest];
  if (first === "--affected") return ["exec", "vitest", "run", "--passWithNoTests", ...sinceThen(base()), ...rest];
  const sources = [first, ...rest].filter(isSource);
  if (sources.length === 0) return ["exec", "vitest", "run", first, ...rest];
  return ["exec", "vitest", "related", "--run", ...projectsOf(sources), first, ...rest];
}

/** The packages that source files are in: what other packages export is imported by most of all tests. */
function projectsOf(sources) {
  const names = sources.flatMap((path) => /^(?:packages|apps|contrib)\/([^/]+)\//.exec(path)?.[1] ?? []);
  return [...new Set(names)].map((name) => `--project=${name}`);
}

/** The commit from which on something is a change: where the branch began, or the last one where nothing tells that. */
function base() {
  const { status, stdout } = spawnSync("git", ["merge-base", UPSTREAM, "HEAD"], { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : "HEAD";
}

/** To look only at projects that can have been affected spares reading the imports of all others. */
function sinceThen(commit) {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n");
  const changed = [...git("diff", "--name-only", commit), ...git("ls-files", "--others", "--exclude-standard")];
  const projects = affectedProjects(
    changed.filter((path) => path !== ""),
    workspaceDependencies(root),
  );
  return [`--changed=${commit}`, ...projects.map((name) => `--project=${name}`)];
}

/** Whether that is a file which tests may import, and no test. */
function isSource(path) {
  return !/\.test\.\w+$/.test(path) && existsSync(join(root, path)) && statSync(join(root, path)).isFile();
}
