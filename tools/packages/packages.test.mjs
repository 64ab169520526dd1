// @ts-check
// What npm users get: each package is packed, installed alone into an empty project, and used.
import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMPANY, PEERS_OF_ENTRIES, SERVERS } from "./company.mjs";
import { publishedPackages } from "./manifests.mjs";
import { packedPackages } from "./packed-packages.mjs";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "kindling-packages-"));
afterAll(() => rmSync(work, { recursive: true, force: true }), 120_000);

const published = publishedPackages(root).filter(({ folder }) => folder.startsWith("packages/"));
/** @type {ReadonlyMap<string, string>} */
let tarballs = new Map();
/** A project into which npm has installed all packages at once: for each by itself npm takes minutes. */
let all = "";

beforeAll(async () => {
  tarballs = packedPackages(root);
  all = emptyProject("all");
  await installTarballs(
    all,
    published.map(({ manifest }) => manifest.name),
  );
}, 300_000);

/** @param {string} name */
function manifestOf(name) {
  const found = published.find(({ manifest }) => manifest.name === name);
  if (found === undefined) throw new Error(`there is no package ${name}`);
  return found.manifest;
}

/** @param {string} name */
function tarballOf(name) {
  const tarball = tarballs.get(name);
  if (tarball === undefined) throw new Error(`${name} was not packed`);
  return tarball;
}

/**
 * A package and those of our packages that it depends on.
 *
 * @param {string} name
 * @returns {string[]}
 */
function closure(name) {
  const own = Object.keys(manifestOf(name).dependencies ?? {}).filter((dependency) => tarballs.has(dependency));
  return [...new Set([name, ...own.flatMap(closure)])];
}

/** @param {string} name */
function emptyProject(name) {
  const project = join(work, name.replace("/", "-"));
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "empty", private: true, type: "module" }));
  return project;
}

/**
 * @param {string} project
 * @param {readonly string[]} names of packages
 */
async function installTarballs(project, names) {
  const files = [...new Set(names.flatMap(closure))].map(tarballOf);
  const others = names.flatMap((name) =>
    (PEERS_OF_ENTRIES[name] ?? []).map((peer) => `${peer}@${manifestOf(name).peerDependencies?.[peer]}`),
  );
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...files, ...others], { cwd: project });
}

/** With this, a program sees only the modules that are linked into its project. */
const ALONE = { env: { ...process.env, NODE_OPTIONS: "--preserve-symlinks --preserve-symlinks-main" } };

/**
 * A project with the modules that npm installs for some packages alone, and their names.
 *
 * @param {string} name of the project
 * @param {readonly string[]} packages
 */
function alone(name, packages = [name]) {
  const project = emptyProject(name);
  const installed = withDependencies(packages.flatMap((one) => [one, ...(PEERS_OF_ENTRIES[one] ?? [])]));
  for (const one of installed) {
    const link = join(project, "node_modules", one);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(all, "node_modules", one), link);
  }
  return { project, installed };
}

/**
 * Modules, and all modules that they depend on.
 *
 * @param {readonly string[]} names
 */
function withDependencies(names) {
  const found = new Set(names);
  for (const name of found) {
    /** @type {Record<"dependencies" | "optionalDependencies" | "peerDependencies", Record<string, string> | undefined>} */
    const manifest = JSON.parse(readFileSync(join(all, "node_modules", name, "package.json"), "utf8"));
    for (const dependency of Object.keys(manifest.dependencies ?? {})) found.add(dependency);
    // npm leaves out optional ones that do not fit the machine, and peers that nobody else brings.
    const others = Object.keys({ ...manifest.optionalDependencies, ...requiredPeers(manifest) });
    for (const other of others) if (existsSync(join(all, "node_modules", other))) found.add(other);
  }
  return [...found];
}

/** @param {{ peerDependencies?: object | undefined, peerDependenciesMeta?: Record<string, { optional?: boolean }> }} manifest */
function requiredPeers({ peerDependencies = {}, peerDependenciesMeta = {} }) {
  return Object.fromEntries(
    Object.entries(peerDependencies).filter(([name]) => peerDependenciesMeta[name]?.optional !== true),
  );
}

test.each(Object.entries(COMPANY))(
  "%s installs alone, with no more than it needs, and can be imported",
  async (name, company) => {
    const { project, installed } = alone(name);
    expect(installed.toSorted()).toEqual([name, ...company].toSorted());
    const entries = Object.keys(manifestOf(name).exports ?? {}).filter((entry) => !entry.endsWith(".json"));
    for (const entry of entries) {
      const specifier = name + entry.slice(1);
      const script = `console.log(Object.keys(await import(${JSON.stringify(specifier)})).length)`;
      const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], {
        ...ALONE,
        cwd: project,
      });
      expect(Number(stdout), specifier).toBeGreaterThan(0);
    }
  },
  300_000,
);

test.each(SERVERS)(
  "%s installs alone, and its command %s runs",
  async (name, command, company) => {
    const { project, installed } = alone(name);
    expect(installed.filter((one) => one.startsWith("@kindling/")).toSorted()).toEqual([name, ...company].toSorted());
    const program = join(project, "node_modules", name, manifestOf(name).bin?.[command] ?? command);
    const { stdout } = await run(program, ["--help"], { ...ALONE, cwd: project });
    expect(stdout).toMatch(/^Usage: /m);
  },
  300_000,
);

/**
 * Installs a package as a global command; returns the folder of its commands.
 *
 * @param {string} name
 */
async function installGlobally(name) {
  const prefix = join(work, "global", name.replace("/", "-"));
  const files = closure(name).map(tarballOf);
  const options = ["--global", "--prefix", prefix, "--no-audit", "--no-fund", "--prefer-offline"];
  await run("npm", ["install", ...options, ...files]);
  return existsSync(join(prefix, "bin")) ? join(prefix, "bin") : prefix;
}

test("kindling installs as a global command", async () => {
  const bin = await installGlobally("@kindling/submit-cli");
  const { stdout } = await run(join(bin, "kindling"), ["--version"]);
  expect(stdout).toContain("kindling");
  const dryRun = ["submit", "--dry-run", "--conf", "spark.kubernetes.container.image=spark:4.3.0", "local:///app/a.py"];
  expect(
    (await run(join(bin, "kindling"), dryRun, { env: { ...process.env, KUBECONFIG: "/dev/null" } })).stdout,
  ).toContain("kind: Pod");
}, 300_000);

test("a stranger's 20 lines submit, list the planned objects and follow the application to its end", async () => {
  const stdout = await runExample("submit-and-follow", ["@kindling/submit", "@kindling/devcluster"], 20);
  const name = /^Pod\/(?<pod>etl-[0-9a-f]+-driver)$/m.exec(stdout)?.groups?.pod;
  expect(stdout).toMatch(/^ConfigMap\/spark-drv-[0-9a-f]+-conf-map$/m);
  expect(stdout).toMatch(/^Service\/etl-[0-9a-f]+-driver-svc$/m);
  expect(stdout).toContain(`default:${name} { phase: 'Succeeded', exitCode: 0 }`);
}, 300_000);

test("a stranger's 50 lines keep twenty workers at work until all of it is done", async () => {
  const stdout = await runExample("run-workers", ["@kindling/scheduler", "@kindling/devcluster"], 50);
  expect(stdout).toContain("worker 7 failed with 1, and is made again");
  expect(stdout).toContain("20 workers have done their work");
}, 300_000);

test("spark-submit installs as a global command, with nothing of its own, and works by a link in a Spark's bin", async () => {
  const bin = await installGlobally("@kindling/spark-submit");
  const home = join(work, "spark-home");
  mkdirSync(join(home, "bin"), { recursive: true });
  mkdirSync(join(home, "jars"));
  writeFileSync(join(home, "jars", "spark-core_2.12-3.5.9.jar"), "");
  symlinkSync(join(bin, "spark-submit"), join(home, "bin", "spark-submit"));
  const env = { ...process.env, SPARK_HOME: home };
  for (const command of [join(bin, "spark-submit"), join(home, "bin", "spark-submit")]) {
    const { stdout, stderr } = await run(command, ["--version"], { env });
    expect(stdout).toBe("");
    expect(stderr).toMatch(/version 3\.5\.9\n[^]*Scala version 2\.12, Java/);
  }

  const project = emptyProject("@kindling/spark-submit");
  await installTarballs(project, ["@kindling/spark-submit"]);
  const ours = readdirSync(join(project, "node_modules", "@kindling")).map((folder) => `@kindling/${folder}`);
  expect(ours.toSorted()).toEqual(closure("@kindling/spark-submit").toSorted());
  const { stderr } = await run("npx", ["--no-install", "spark-submit", "--help"], { cwd: project });
  expect(stderr).toMatch(/^Usage: spark-submit /m);
}, 300_000);

/**
 * Compiles an example in a separate project that has only some packages, and returns its output.
 *
 * @param {string} name of the example
 * @param {readonly string[]} packages
 * @param {number} lines the highest number of lines of code
 */
async function runExample(name, packages, lines) {
  const { project } = alone(name, packages);
  const example = readFileSync(join(root, "examples", `${name}.ts`), "utf8");
  /** @param {string} line */
  const isCode = (line) =>
    line !== "" && !line.startsWith("//") && !/^(import |  \w+,$|  type \w+,$|\} from )/.test(line);
  expect(example.trim().split("\n").filter(isCode).length).toBeLessThanOrEqual(lines);
  writeFileSync(join(project, `${name}.ts`), example);
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const options = ["--strict", "--module", "nodenext", "--target", "es2022", `${name}.ts`];
  const nodeTypes = ["--types", "node", "--typeRoots", join(root, "node_modules", "@types")];
  await run(process.execPath, [compiler, ...nodeTypes, ...options], { cwd: project });
  return (await run(process.execPath, [`${name}.js`], { cwd: project, env: { NODE_OPTIONS: ALONE.env.NODE_OPTIONS } }))
    .stdout;
}
