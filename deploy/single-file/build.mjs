// @ts-check
// `npm run single-file -- --output FOLDER [PLATFORM …]`: makes the command as one executable file for each platform, for
// machines and images without Node, each with its bill of materials. After `npm run build`. Node's executables come from the
// npm registry.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { created, rootParts, spdxDocument } from "../images/spdx.mjs";
import { HERE, nodeExecutable } from "../node-executable.mjs";
import { bundledFiles } from "./bundled-files.mjs";
import { NODE } from "./node-version.mjs";

/** Platforms whose Node is fetched. A Mac uses the Node that builds: it must sign the result anyway. */
const FETCHED = ["linux-x64", "linux-arm64"];
/** What Node looks for in its own file (node/src/node_sea.cc). */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const APPLICATION = /** @type {const} */ ("APPLICATION");
const root = fileURLToPath(new URL("../../", import.meta.url));

const { values, positionals } = parseArgs({ options: { output: { type: "string" } }, allowPositionals: true });
const output = values.output;
if (output === undefined) throw new Error("usage: npm run single-file -- --output FOLDER [linux-x64 linux-arm64 …]");
mkdirSync(output, { recursive: true });
for (const platform of positionals.length === 0 ? [HERE] : positionals) {
  const file = join(output, `kindling-${platform}`);
  make(platform, file);
  writeFileSync(`${file}.spdx.json`, billOfMaterials(file, platform));
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
 * The contents of a file, as an SPDX document. All platforms have the same parts of Node, of the same version.
 *
 * @param {string} file
 * @param {string} platform
 */
function billOfMaterials(file, platform) {
  /** @param {string} path in the command's package */
  const read = (path) => JSON.parse(readFileSync(join(root, "packages/submit-cli", path), "utf8"));
  const id = `sha256:${createHash("sha256").update(readFileSync(file)).digest("hex")}`;
  const { version } = read("package.json");
  const described = { name: `kindling-${platform}`, id, version, created: created(process.env), purpose: APPLICATION };
  const document = spdxDocument(described, rootParts(nodeFor(HERE), []), read("dist/kindling.packages.json"));
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** @param {string} platform */
function nodeFor(platform) {
  if (platform === HERE && process.platform === "darwin") return process.execPath;
  if (FETCHED.includes(platform)) return nodeExecutable(NODE, platform);
  throw new Error(`${platform} cannot be made here: ${FETCHED.join(" and ")}, and on a Mac its own`);
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
