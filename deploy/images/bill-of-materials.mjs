// @ts-check
// Prints the bill of materials of an image that a Dockerfile has built. It is run by Node's image, from which the Dockerfiles
// take Node and its libraries:
//
//   docker run --rm --volume "$PWD:/kindling:ro" node:24-bookworm-slim \
//     node /kindling/deploy/images/bill-of-materials.mjs gateway 0.1.0 sha256:…
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundledPackages, IMAGES } from "./images.mjs";
import { boundTo } from "./root.mjs";
import { created, rootParts, spdxDocument } from "./spdx.mjs";

const [name = "", version, id] = process.argv.slice(2);
const image = IMAGES[name];
if (image === undefined || version === undefined || id === undefined) {
  throw new Error(
    `usage: bill-of-materials.mjs IMAGE VERSION DIGEST; the images are ${Object.keys(IMAGES).join(", ")}`,
  );
}
const node = realpathSync(process.execPath);
const bundled = bundledPackages(image, fileURLToPath(new URL("../../packages", import.meta.url)));
const described = { name: `kindling/${name}`, id, version, created: created(process.env) };
const document = spdxDocument(described, rootParts(node, boundTo(node)), bundled);
process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
