// @ts-check
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { imageBuilder } from "../deploy/images/build.mjs";
import { IMAGES, NODE_LINE } from "../deploy/images/images.mjs";
import { nodeExecutable } from "../deploy/node-executable.mjs";
import { compare } from "./harness/compare.mjs";
import { mebibytes, seconds } from "./harness/figures.mjs";
import { table } from "./harness/table.mjs";

/** The Node that the images had before, for comparison. */
const BEFORE = "22";
const PACKAGES = fileURLToPath(new URL("../packages", import.meta.url));

// Sizes that others state for comparable images, uncompressed, because no benchmark should need a registry.
const STATED = [
  {
    image: "distroless nodejs22-debian12",
    size: "141 MB",
    source:
      "[a comparison of Node's images](https://labs.iximiuz.com/tutorials/how-to-choose-nodejs-container-image), 2024",
  },
  { image: "node:22-slim", size: "220 MB", source: "the same" },
  {
    image: "nginx, on Debian",
    size: "141 MB",
    source: "[a course](https://www.codewithgagan.com/2026/02/understanding-docker-images-in-detail.html), 2026",
  },
  {
    image: "kubeflow's spark-operator",
    size: "985 MB at least",
    source:
      "its Dockerfile starts from Spark's own image; [that of 3.5.2](https://github.com/apache/spark-kubernetes-operator/pull/123), 2024",
  },
];

const ORIGIN = { version: "0.0.0", revision: "", source: "", created: "1970-01-01T00:00:00Z" };

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(bytes < 10e6 ? 2 : 1)} MB`;

/**
 * How large the images are, on a node and during the download, compared with the stated sizes of others; and what their Node
 * costs, compared with the one that they had before.
 */
export async function images() {
  const [before, now] = [nodeExecutable(BEFORE), nodeExecutable(NODE_LINE)];
  const build = imageBuilder(now);
  const built = Object.keys(IMAGES).map((name) => ({ name, layers: build(name, ORIGIN).layers }));
  const [shared] = built.flatMap(({ layers }) => layers);
  if (shared === undefined) throw new Error("there is no image");
  const sharedCompressed = gzipSync(shared.data).length;
  const rows = built.map(({ name, layers: [, own] }) => {
    if (own === undefined) throw new Error(`the image ${name} has no layer of its own`);
    const compressed = gzipSync(own.data).length;
    return [
      `kindling/${name}`,
      megabytes(shared.data.length + own.data.length),
      megabytes(sharedCompressed + compressed),
      megabytes(own.data.length),
      megabytes(compressed),
    ];
  });
  const ours = table([["image", "on disk", "compressed", "its own layer", "compressed"], ...rows]);
  const theirs = table([
    ["beside it", "on disk, as stated", "by"],
    ...STATED.map(({ image, size, source }) => [image, size, source]),
  ]);
  const shareds = [sharedBy(imageBuilder(before)), { disk: shared.data.length, compressed: sharedCompressed }];
  const nodes = table([
    ["measured", ...[before, now].map((node) => `Node ${versionOf(node)}`)],
    ["the shared layer, on disk", ...shareds.map(({ disk }) => megabytes(disk))],
    ["the shared layer, compressed", ...shareds.map(({ compressed }) => megabytes(compressed))],
    ...(await startsOf(before, now)),
  ]);
  return `${ours}\nThe rest is one layer that all of them share: Node ${versionOf(now)} and its libraries.\n\n${theirs}\n${nodes}`;
}

/** @param {ReturnType<typeof imageBuilder>} build */
function sharedBy(build) {
  const [{ data } = { data: Buffer.alloc(0) }] = build("localizer", ORIGIN).layers;
  return { disk: data.length, compressed: gzipSync(data).length };
}

/** @param {string} node */
function versionOf(node) {
  return execFileSync(node, ["--version"], { encoding: "utf8" }).trim().slice(1);
}

/**
 * How long the program of each image takes to start and to show its help, with each Node.
 *
 * @param {string} before
 * @param {string} now
 */
async function startsOf(before, now) {
  const rows = [];
  for (const [name, image] of Object.entries(IMAGES)) {
    const args = [...(image.nodeFlags ?? []), join(PACKAGES, image.package, image.main), "--help"];
    const { old, recent } = await compare(15, { old: { command: before, args }, recent: { command: now, args } });
    rows.push([`\`${name} --help\`, wall time`, seconds(old.wall), seconds(recent.wall)]);
    rows.push([`\`${name} --help\`, peak memory`, mebibytes(old.memory), mebibytes(recent.memory)]);
  }
  return rows;
}
