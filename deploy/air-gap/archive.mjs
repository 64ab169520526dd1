// @ts-check
// Makes a folder with everything of Kindling's that an installation without a way to the internet needs. After `npm run build`:
//
//   node deploy/air-gap/archive.mjs --output FOLDER [--node 24] [IMAGE…]
//
// FOLDER/images has the images as archives with their bills of materials, FOLDER/charts the charts, FOLDER/manifests the same
// as plain objects. FOLDER/images.txt names the images, FOLDER/SHA256SUMS has the checksums of all files, also of those that
// were there before.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { IMAGES } from "../images/images.mjs";
import { checksums, filesIn, imageList, SUMS, versionOf } from "./contents.mjs";

const deploy = fileURLToPath(new URL("..", import.meta.url));

const options = /** @type {const} */ ({ output: { type: "string" }, node: { type: "string" } });
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const { output, node } = values;
if (output === undefined)
  throw new Error("usage: node deploy/air-gap/archive.mjs --output FOLDER [--node 24] [IMAGE…]");
const names = positionals.length > 0 ? positionals : Object.keys(IMAGES);
const version = versionOf(readFileSync(join(deploy, "helm/kindling/Chart.yaml"), "utf8"));

for (const folder of ["images", "charts", "manifests"]) mkdirSync(join(output, folder), { recursive: true });
const build = join(deploy, "images/build.mjs");
const withNode = node === undefined ? [] : ["--node", node];
execFileSync(process.execPath, [build, "--tag", version, "--output", join(output, "images"), ...withNode, ...names], {
  stdio: "inherit",
});
addCharts(join(output, "charts"));
cpSync(join(deploy, "manifests"), join(output, "manifests"), { recursive: true });
writeFileSync(join(output, "images.txt"), imageList(names, version));
const files = filesIn(output);
writeFileSync(join(output, SUMS), await checksums(output, files));
process.stdout.write(`${output}: ${files.length} files, with their checksums in ${SUMS}\n`);

/**
 * Packs the charts with Helm. Without it they are folders, from which Helm installs as well.
 *
 * @param {string} folder
 */
function addCharts(folder) {
  const helm = spawnSync("helm", ["version"], { stdio: "ignore" }).status === 0;
  if (!helm) process.stdout.write("helm is not on this machine: the charts are added as folders\n");
  for (const chart of readdirSync(join(deploy, "helm"))) {
    const from = join(deploy, "helm", chart);
    if (helm) execFileSync("helm", ["package", from, "--destination", folder], { stdio: "inherit" });
    else cpSync(from, join(folder, chart), { recursive: true });
  }
}
