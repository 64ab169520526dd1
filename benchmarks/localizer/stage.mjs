// @ts-check
// The same files on a staging server twice: each as a separate file, and all of them in one tar.gz as the old fork sent them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { openAsBlob, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const OWNER = { ownerNamespace: "default", ownerLabels: { app: "benchmark" }, ownerType: "Pod" };

/** @typedef {{ name: string, kind: string, digest: string, size: number, mode: number }} ManifestFile */
/** @typedef {{ id: string, secretFile: string, files: readonly ManifestFile[] }} Staged */
/** @typedef {{ uri: string, secret: string }} ForkBundle */

/**
 * Stages a bundle with version 1 of the protocol.
 *
 * @param {{ uri: string }} server
 * @param {string} folder of the files
 * @param {readonly string[]} names of the files
 * @returns {Promise<Staged>} its id, its secret's file, and its files as a manifest has them
 */
export async function stage({ uri }, folder, names) {
  /** @type {{ leaseId: string }} */
  const { leaseId } = await post(`${uri}/api/v1/leases`, { namespace: "default" });
  const files = [];
  for (const name of names) {
    const bytes = readFileSync(join(folder, name));
    const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    const blob = `${uri}/api/v1/blobs/${digest}?lease=${leaseId}`;
    const stored = await fetch(blob, {
      method: "PUT",
      body: bytes,
      headers: { "content-type": "application/octet-stream" },
    });
    if (!stored.ok) throw new Error(`${blob}: ${stored.status} ${await stored.text()}`);
    files.push({ name, kind: "jar", digest, size: bytes.length, mode: 0o644 });
  }
  /** @type {{ bundleId: string, secret: string }} */
  const { bundleId, secret } = await post(`${uri}/api/v1/bundles`, { lease: leaseId, owner: OWNER, files });
  const secretFile = join(folder, "secret");
  writeFileSync(secretFile, secret);
  return { id: bundleId, secretFile, files };
}

/**
 * Stages a bundle with the fork's protocol.
 *
 * @param {{ uri: string }} server
 * @param {string} folder of the files
 * @param {readonly string[]} names of the files
 * @returns {Promise<ForkBundle>}
 */
export async function stageAsFork({ uri }, folder, names) {
  const archive = join(folder, "resources.tar.gz");
  const packed = spawnSync("tar", ["-czf", archive, "-C", folder, ...names], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (packed.status !== 0) throw new Error("tar failed");
  const form = new FormData();
  form.append("resources", await openAsBlob(archive));
  form.append("resourcesOwner", new Blob([JSON.stringify(OWNER)], { type: "application/json" }));
  /** @type {{ resourceId: string, resourceSecret: string }} */
  const { resourceId, resourceSecret } = await answered(
    await fetch(`${uri}/api/v0/resources/`, { method: "POST", body: form }),
  );
  return { uri: `${uri}/api/v0/resources/${resourceId}`, secret: resourceSecret };
}

/**
 * @param {string} uri
 * @param {object} document
 */
async function post(uri, document) {
  const headers = { "content-type": "application/json" };
  return await answered(await fetch(uri, { method: "POST", headers, body: JSON.stringify(document) }));
}

/** @param {Response} response */
async function answered(response) {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`);
  return JSON.parse(text);
}
