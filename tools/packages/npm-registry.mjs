// @ts-check
// A local npm registry for tests. It serves the packages that it is given, and accepts packages that are published.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { execFileSync } from "node:child_process";

/** @typedef {{ readonly manifest: import("./manifests.mjs").Manifest, readonly bytes: Buffer }} Packed */

/**
 * The request of npm when it publishes a package.
 *
 * @typedef {object} Publication
 * @property {Readonly<Record<string, import("./manifests.mjs").Manifest>>} versions
 * @property {Readonly<Record<string, { readonly data: string }>>} _attachments tarballs in base64
 */

/**
 * @param {readonly string[]} tarballs the first packages, as `npm pack` makes them
 * @returns its URI, and how to end it
 */
export async function startRegistry(tarballs) {
  /** @type {Map<string, Packed>} */
  const packages = new Map();
  /**
   * @param {import("./manifests.mjs").Manifest} manifest
   * @param {Buffer} bytes
   */
  const add = (manifest, bytes) => packages.set(manifest.name, { manifest, bytes });
  for (const file of tarballs) {
    const manifest = execFileSync("tar", ["-xzOf", file, "package/package.json"], { encoding: "utf8" });
    add(JSON.parse(manifest), readFileSync(file));
  }
  let uri = "";
  /** @param {Packed} packed */
  const packument = ({ manifest, bytes }) => {
    const { name, version } = manifest;
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    const dist = { tarball: `${uri}${name}/-/${version}.tgz`, integrity };
    return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
  };
  /**
   * @param {import("node:http").IncomingMessage} request
   * @param {import("node:http").ServerResponse} response
   */
  const answer = async (request, response) => {
    const [name = "", file] = decodeURIComponent(request.url ?? "")
      .slice(1)
      .split("/-/");
    if (request.method === "PUT") {
      /** @type {Publication} */
      const { versions, _attachments: attachments } = JSON.parse(await text(request));
      const [[manifest], [tarball]] = [Object.values(versions), Object.values(attachments)];
      if (manifest === undefined || tarball === undefined) throw new Error("npm has published nothing");
      add(manifest, Buffer.from(tarball.data, "base64"));
      response.writeHead(201).end("{}");
      return;
    }
    const found = packages.get(name);
    if (found === undefined) response.writeHead(404).end("{}");
    else if (file === undefined) response.end(JSON.stringify(packument(found)));
    else response.end(found.bytes);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the registry does not listen");
  uri = `http://127.0.0.1:${address.port}/`;
  return { uri, published: (/** @type {string} */ name) => packages.get(name)?.manifest, stop: () => server.close() };
}
