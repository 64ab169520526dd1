// @ts-check
// A registry of packages on this machine, with packed tarballs beside what another registry has.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { serveHere } from "./serve-here.mjs";

/**
 * @typedef {object} Published
 * @property {Readonly<Record<string, unknown> & { name: string, version: string }>} manifest
 * @property {string} tarball its path
 */

/**
 * Serves packages as `npm publish` would have published them, each with its only version. All other packages come from the
 * registry behind it.
 *
 * @param {readonly Published[]} packages
 * @param {string} behind the address of another registry
 * @returns {Promise<import("./serve-here.mjs").Served>}
 */
export function serveRegistry(packages, behind) {
  const byName = new Map(packages.map((one) => [one.manifest.name, one]));
  return serveHere((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://registry").pathname).slice(1);
    const [name = "", file] = path.split("/-/");
    const own = byName.get(name);
    if (own === undefined) return void pass(request, response, behind);
    if (file !== undefined) return void response.end(readFileSync(own.tarball));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(packument(own, `http://${request.headers.host}`)));
  });
}

/**
 * What a registry says of a package.
 *
 * @param {Published} published
 * @param {string} origin
 */
function packument({ manifest, tarball }, origin) {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`;
  const file = `${name.replace(/^@[^/]+\//, "")}-${version}.tgz`;
  const dist = { integrity, tarball: `${origin}/${name}/-/${file}` };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {string} behind
 */
async function pass(request, response, behind) {
  try {
    const { accept = "*/*" } = request.headers;
    const answer = await fetch(new URL((request.url ?? "/").slice(1), behind), { headers: { accept } });
    const body = Buffer.from(await answer.arrayBuffer());
    response.statusCode = answer.status;
    response.setHeader("content-type", answer.headers.get("content-type") ?? "application/json");
    response.end(body);
  } catch (error) {
    response.statusCode = 502;
    response.end(String(error));
  }
}
