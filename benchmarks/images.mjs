// @ts-check
import { gzipSync } from "node:zlib";
import { imageBuilder } from "../deploy/images/build.mjs";
import { IMAGES } from "../deploy/images/images.mjs";
import { table } from "./harness/table.mjs";

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

/** How large the images are, on a node and during the download, compared with the stated sizes of others. */
export async function images() {
  const build = imageBuilder();
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
  return `${ours}\nThe rest is one layer that all of them share: Node ${process.versions.node} and its libraries.\n\n${theirs}`;
}
