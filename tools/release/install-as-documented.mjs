// @ts-check
// Runs each documented command that installs packages or charts, against a registry and a chart repository on this machine
// that have what the release would publish.
import { execFile } from "node:child_process";
import { createReadStream, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { installCommands } from "./documented-commands.mjs";
import { serveRegistry } from "./registry.mjs";
import { serveHere } from "./serve-here.mjs";

const run = promisify(execFile);
/** The oldest Kubernetes that the charts support. */
const KUBERNETES = "1.28.0";

/**
 * @param {string} root the released sources, with the pages
 * @param {readonly import("./registry.mjs").Published[]} packages
 * @param {string} work a folder for what is installed
 * @param {NodeJS.ProcessEnv} env
 * @returns {AsyncGenerator<string, void>} a line for each command
 * @throws Error of the command that fails, with its output
 */
export async function* installAsDocumented(root, packages, work, env) {
  const commands = installCommands(root);
  yield* installPackages(commands, packages, work, env);
  yield* installCharts(commands, root, work, env);
}

/**
 * @param {readonly import("./documented-commands.mjs").DocumentedCommand[]} commands
 * @param {readonly import("./registry.mjs").Published[]} packages
 * @param {string} work
 * @param {NodeJS.ProcessEnv} env
 */
async function* installPackages(commands, packages, work, env) {
  const { stdout: behind } = await run("npm", ["config", "get", "registry"], { env, cwd: work });
  const registry = await serveRegistry(packages, behind.trim());
  try {
    for (const [index, { page, command }] of commands.entries()) {
      if (!command.startsWith("npm ")) continue;
      const folder = join(work, `install-${index}`);
      const prefix = join(folder, "global");
      mkdirSync(prefix, { recursive: true });
      writeFileSync(join(folder, "package.json"), '{ "private": true }');
      // Instead of this machine's global folders.
      const here = command.replace(/--prefix \S+/, `--prefix ${prefix}`);
      const settings = {
        npm_config_registry: `${registry.url}/`,
        npm_config_prefix: prefix,
        npm_config_audit: "false",
      };
      await run("sh", ["-c", here], { cwd: folder, env: { ...env, ...settings }, maxBuffer: 2 ** 26 });
      const programs = await programsIn(folder, env);
      yield `${page}: ${command}${programs.length === 0 ? "" : ` → ${programs.join(", ")}`}`;
    }
  } finally {
    registry.close();
  }
}

/**
 * Asks each installed program for its help.
 *
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 */
async function programsIn(folder, env) {
  const places = ["global/bin", "global/node_modules/.bin", "node_modules/.bin"].map((path) => join(folder, path));
  const programs = places.flatMap((place) => {
    try {
      return readdirSync(place)
        .filter((name) => /^(kindling|spark-submit)/.test(name))
        .map((name) => join(place, name));
    } catch {
      return [];
    }
  });
  const said = programs.map(async (program) => {
    const { stdout, stderr } = await run(program, ["--help"], { env });
    const line = `${stdout}${stderr}`.split("\n").find((one) => one.trim() !== "");
    return line?.trim() ?? "";
  });
  return Promise.all(said);
}

/**
 * @param {readonly import("./documented-commands.mjs").DocumentedCommand[]} commands
 * @param {string} root
 * @param {string} work
 * @param {NodeJS.ProcessEnv} env
 */
async function* installCharts(commands, root, work, env) {
  const charts = join(work, "charts");
  mkdirSync(charts);
  try {
    await run("helm", ["version"], { env });
  } catch {
    yield "charts: not installed, because there is no helm";
    return;
  }
  const own = { ...env, HELM_CONFIG_HOME: charts, HELM_CACHE_HOME: charts, HELM_DATA_HOME: charts };
  const folders = readdirSync(join(root, "deploy/helm")).map((name) => join(root, "deploy/helm", name));
  await run("helm", ["package", ...folders, "--destination", charts], { env: own });
  await run("helm", ["repo", "index", charts], { env: own });
  const repository = await serveHere((request, response) => {
    createReadStream(join(charts, request.url ?? "/"))
      .on("error", () => response.writeHead(404).end())
      .pipe(response);
  });
  try {
    for (const { page, command } of commands) {
      if (!command.startsWith("helm ")) continue;
      // Without a cluster, a chart can only be rendered. The suite `quick-start` installs it.
      const here = command
        .replace(/^(helm repo add \S+) \S+/, `$1 --force-update ${repository.url}`)
        .replace(/^helm install/, `helm template --kube-version ${KUBERNETES}`);
      await run("sh", ["-c", here], { env: own, cwd: root, maxBuffer: 2 ** 26 });
      yield `${page}: ${command}`;
    }
  } finally {
    repository.close();
  }
}
