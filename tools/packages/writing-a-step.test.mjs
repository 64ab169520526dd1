// @ts-check
// What a new user does: the commands of docs/writing-a-step.md, one after the other, in an empty folder. From this repository
// there are only packages as npm would get them.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startRegistry } from "./npm-registry.mjs";
import { packedPackages } from "./packed-packages.mjs";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "kindling-stranger-"));
const GUIDE = readFileSync(join(root, "docs/writing-a-step.md"), "utf8");
const CONTRIBUTED = ["@kindling/steps-vault", "@kindling/steps-labels", "@kindling/steps-corporate"];

/** @type {Awaited<ReturnType<typeof startRegistry>> | undefined} */
let registry;
/** @type {NodeJS.ProcessEnv} */
let env = {};

beforeAll(async () => {
  registry = await startRegistry([...packedPackages(root).values()]);
  const { uri } = registry;
  const settings = ["kindling", "example"].map((scope) => `@${scope}:registry=${uri}`);
  const { host } = new URL(uri);
  const npmrc = join(work, ".npmrc");
  writeFileSync(npmrc, [await userSettings(), ...settings, `//${host}/:_authToken=anybody`, ""].join("\n"));
  env = {
    ...withoutTestRunner(),
    npm_config_userconfig: npmrc,
    npm_config_yes: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_prefer_offline: "true",
    npm_config_provenance: "false",
    KUBECONFIG: "/dev/null",
    HOME: work,
  };
}, 300_000);
afterAll(() => {
  registry?.stop();
  rmSync(work, { recursive: true, force: true });
}, 120_000);

test("every command of the guide runs, in an empty folder and from packed packages alone", async () => {
  let cwd = join(work, "stranger");
  mkdirSync(cwd);
  /** @type {{ command: string, stdout: string }[]} */
  const said = [];
  for (const step of stepsOf(GUIDE)) {
    if (step.kind === "file") {
      writeFileSync(join(cwd, step.file), step.text);
      continue;
    }
    const { command } = step;
    const { stdout, folder } = await inFolder(cwd, command).catch((error) => {
      throw new Error(`$ ${command}\n${error.stdout}${error.stderr}`);
    });
    cwd = folder;
    said.push({ command, stdout });
  }
  /** @param {RegExp} pattern of commands */
  const outputsOf = (pattern) => said.filter(({ command }) => pattern.test(command)).map(({ stdout }) => stdout);

  const executors = outputsOf(/--executor/);
  expect(executors).toHaveLength(3);
  for (const pod of [...outputsOf(/--dry-run --steps/), ...executors]) {
    expect(pod).toMatch(/example\.com\/cost-center: ["']0042["']/);
    expect(pod).toContain("name: COST_CENTER");
  }
  expect(outputsOf(/kindling explain/)[0]).toMatch(/COST_CENTER.*cost-center/);
  expect(registry?.published("@example/cost-center")).toMatchObject({ version: "0.1.0" });
}, 300_000);

test("the contributed steps change driver and executors, installed as packages", async () => {
  const cwd = join(work, "site");
  mkdirSync(cwd);
  const policy = "labels:\n  team: { required: true, values: [search, ads] }\n";
  writeFileSync(join(cwd, "labels.yaml"), policy);
  await inFolder(cwd, `npm install @kindling/submit-cli ${CONTRIBUTED.join(" ")}`);
  const conf = {
    "spark.kubernetes.container.image": "apache/spark:4.3.0",
    "spark.kindling.vault.role": "etl",
    "spark.kindling.vault.secret.db": "secret/data/db",
    "spark.kindling.labels.policy": "labels.yaml",
    "spark.kindling.corporate.ca.configMap": "corporate-ca",
    "spark.kindling.corporate.proxy.https": "http://proxy.example.com:3128",
  };
  const flags = Object.entries(conf).map(([key, value]) => `--conf ${key}=${value}`);
  /** @param {string} more flags */
  const command = (more) =>
    `npx kindling submit --dry-run ${more} --steps ${CONTRIBUTED.join(",")} ${flags.join(" ")} local:///app.py`;
  for (const more of ["", "--executor"]) {
    const { stdout } = await inFolder(cwd, command(`${more} --conf spark.kindling.label.team=search`));
    expect(stdout).toContain("team: search");
    expect(stdout).toContain("vault.hashicorp.com/role: etl");
    expect(stdout).toContain("mountPath: /etc/ssl/corporate");
    expect(stdout).toContain("value: http://proxy.example.com:3128");
  }
  const refused = await inFolder(cwd, command("")).catch((error) => error);
  expect(refused.stderr).toContain(
    "spark.kindling.label.team is not set, and label team is required (labels.yaml, line 2)",
  );
}, 300_000);

/** The user's npm settings for all packages that are not ours. */
async function userSettings() {
  const { stdout } = await run("npm", ["config", "get", "userconfig"]);
  try {
    return readFileSync(stdout.trim(), "utf8");
  } catch {
    return "";
  }
}

/** Otherwise Node's own test runner would run as a part of this one. */
function withoutTestRunner() {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, VITEST: _vitest, ...others } = process.env;
  return others;
}

/** @typedef {{ kind: "file", file: string, text: string } | { kind: "command", command: string }} Step */

/**
 * The commands and the files of a page, in their order.
 *
 * @param {string} page
 * @returns {Step[]}
 */
function stepsOf(page) {
  const blocks = page.matchAll(/(?:`([^`\n]+)`:\n\n)?```(\w+)\n([\s\S]*?)```/g);
  return [...blocks].flatMap(([, file, language, text = ""]) => {
    if (language !== "console") return file === undefined ? [] : [fileStep(file, text)];
    return [...text.matchAll(/^\$ (.*)$/gm)].map(([, command = ""]) => commandStep(command));
  });
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {Step}
 */
function fileStep(file, text) {
  return { kind: "file", file, text };
}

/**
 * @param {string} command
 * @returns {Step}
 */
function commandStep(command) {
  return { kind: "command", command };
}

/**
 * Runs a command as a shell does, and returns the folder in which the shell is afterwards.
 *
 * @param {string} cwd
 * @param {string} command
 */
async function inFolder(cwd, command) {
  const { stdout } = await run("bash", ["-ec", `${command}\nprintf '\\n%s' "$PWD"`], { cwd, env, maxBuffer: 2 ** 24 });
  const end = stdout.lastIndexOf("\n");
  return { stdout: stdout.slice(0, end), folder: stdout.slice(end + 1) };
}
