// @ts-check
// Makes the images without an engine, from a Node and the output of `npm run build`:
//
//   node deploy/images/build.mjs --tag 0.1.0 --output FOLDER [--node 24] [--revision COMMIT] [--source URL] [NAME…]
//
// --node takes that Node of the npm registry in place of the one that runs this.
// FOLDER/NAME.tar is an archive that every engine can load, FOLDER/NAME.spdx.json lists its contents. The same input gives
// the same bytes. SOURCE_DATE_EPOCH is the time in them, in seconds; the default is the beginning of 1970.
import { spawnSync } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { nodeExecutable } from "../node-executable.mjs";
import { archive, configuration, packageLayer, rootLayer } from "./archive.mjs";
import { bundledPackages, IMAGES, SOURCE } from "./images.mjs";
import { boundTo, rootFiles } from "./root.mjs";
import { created, rootParts, spdxDocument } from "./spdx.mjs";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const packages = join(repository, "packages");

/** Makes several images that share their root. @param {string} [node] the program that they run */
export function imageBuilder(node = realpathSync(process.execPath)) {
  const root = rootLayer(rootFiles(node));
  const parts = rootParts(node, boundTo(node));
  /**
   * @param {string} name
   * @param {import("./archive.mjs").Origin} origin
   */
  return (name, origin) => {
    const image = IMAGES[name];
    if (image === undefined) throw new Error(`no image ${name}: there are ${Object.keys(IMAGES).join(", ")}`);
    const layers = [root, packageLayer(image, packages)];
    const config = configuration(image, layers, origin);
    const { id, data } = archive(`kindling/${name}:${origin.version}`, config, layers);
    const bundled = bundledPackages(image, packages);
    const described = { name: `kindling/${name}`, id, version: origin.version, created: origin.created };
    return { id, config, layers, data, sbom: spdxDocument(described, parts, bundled) };
  };
}

/** The commit that is built, if this is a clone. */
function head() {
  const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: repository, encoding: "utf8" });
  return status === 0 ? stdout.trim() : "";
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      tag: { type: "string" },
      output: { type: "string" },
      node: { type: "string" },
      revision: { type: "string" },
      source: { type: "string", default: SOURCE },
    },
  });
  const { tag, output, node, source } = values;
  if (tag === undefined || output === undefined) throw new Error("--tag and --output are needed");
  mkdirSync(output, { recursive: true });
  const build = imageBuilder(node === undefined ? undefined : nodeExecutable(node));
  const origin = { version: tag, revision: values.revision ?? head(), source, created: created(process.env) };
  for (const name of positionals.length > 0 ? positionals : Object.keys(IMAGES)) {
    const { id, data, sbom } = build(name, origin);
    writeFileSync(join(output, `${name}.tar`), data);
    writeFileSync(join(output, `${name}.spdx.json`), `${JSON.stringify(sbom, undefined, 2)}\n`);
    process.stdout.write(`kindling/${name}:${tag} ${id}\n`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main();
