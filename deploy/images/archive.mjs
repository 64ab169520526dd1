// @ts-check
// Images as archives that every engine can load (`docker load`, `ctr images import`, `kind load image-archive`).
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { builtFiles, entrypoint, labels, starters, USER } from "./images.mjs";
import { tar } from "./tar.mjs";

/** @param {Buffer} data */
const sha256 = (data) => createHash("sha256").update(data).digest("hex");

// Go's names, which the image specification uses.
/** @type {Readonly<Partial<Record<NodeJS.Architecture, string>>>} */
const ARCHITECTURES = { x64: "amd64", arm64: "arm64" };

/**
 * @typedef {{ data: Buffer, digest: string, createdBy: string }} Layer
 * @typedef {{ version: string, revision: string, source: string, created: string }} Origin
 */

/** @param {Buffer} data @param {string} createdBy @returns {Layer} */
function layer(data, createdBy) {
  return { data, digest: sha256(data), createdBy };
}

/**
 * The layer that all images share, so that a node pulls it once.
 *
 * @param {readonly import("./tar.mjs").Entry[]} files
 */
export function rootLayer(files) {
  return layer(tar([...files, { path: "tmp", mode: 0o1777 }]), "Node and its libraries");
}

/**
 * The layer of an image's own files.
 *
 * @param {import("./images.mjs").Image} image
 * @param {string} packages folder of the repository's packages
 */
export function packageLayer(image, packages) {
  const files = builtFiles(image).map(({ from, to }) => ({
    path: to.slice(1),
    data: readFileSync(join(packages, from)),
  }));
  const started = starters(image).map(({ path, text }) => ({ path, mode: 0o755, data: Buffer.from(text) }));
  const volumes = (image.volumes ?? []).map((path) => ({ path: path.slice(1), owner: USER, mode: 0o700 }));
  return layer(tar([...files, ...started, ...volumes]), image.title);
}

/**
 * An image's configuration for an engine, according to the OCI image specification.
 *
 * @param {import("./images.mjs").Image} image
 * @param {readonly Layer[]} layers
 * @param {Origin} origin
 */
export function configuration(image, layers, origin) {
  const { volumes = [], ports = [] } = image;
  return {
    architecture: ARCHITECTURES[process.arch] ?? process.arch,
    os: "linux",
    created: origin.created,
    config: {
      User: `${USER}:${USER}`,
      Env: ["PATH=/usr/local/bin"],
      Entrypoint: entrypoint(image),
      WorkingDir: "/",
      Labels: labels(image, origin),
      ...(volumes.length > 0 && { Volumes: Object.fromEntries(volumes.map((path) => [path, {}])) }),
      ...(ports.length > 0 && { ExposedPorts: Object.fromEntries(ports.map((port) => [`${port}/tcp`, {}])) }),
    },
    rootfs: { type: "layers", diff_ids: layers.map(({ digest }) => `sha256:${digest}`) },
    history: layers.map(({ createdBy }) => ({ created: origin.created, created_by: createdBy })),
  };
}

/**
 * The archive, and the image's id, which is the digest of its configuration.
 *
 * @param {string} reference
 * @param {object} config the image's configuration
 * @param {readonly Layer[]} layers
 */
export function archive(reference, config, layers) {
  const json = Buffer.from(JSON.stringify(config));
  const id = sha256(json);
  const manifest = [
    { Config: `${id}.json`, RepoTags: [reference], Layers: layers.map(({ digest }) => `${digest}/layer.tar`) },
  ];
  const data = tar([
    { path: `${id}.json`, data: json },
    ...layers.map(({ digest, data }) => ({ path: `${digest}/layer.tar`, data })),
    { path: "manifest.json", data: Buffer.from(JSON.stringify(manifest)) },
  ]);
  return { id: `sha256:${id}`, data };
}
