// @ts-check
// The servers that are compared: each stores one file under its digest, and returns it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@kindling/test-kit/free-port";
import { startServer } from "../harness/processes.mjs";

const STAGING_SERVER = fileURLToPath(
  new URL("../../packages/staging-server/bin/kindling-staging-server.cjs", import.meta.url),
);

/** @typedef {{ uri: string, headers: Readonly<Record<string, string>> }} Download how to download a file */
/** @typedef {{ digest: string, size: number }} StoredFile */

/**
 * A server that stores files.
 *
 * @typedef {object} FileServer
 * @property {number} pid
 * @property {string} uri
 * @property {(digest: string) => Promise<string>} uploadUri where to upload a file
 * @property {(file: StoredFile) => Promise<Download>} downloadOf
 * @property {() => Promise<void>} stop
 */

/**
 * Kindling's staging server, with its defaults: verifies the digest before anything is visible.
 *
 * @param {string} folder for its store
 * @param {Readonly<Record<string, string | number>>} settings that differ from the defaults
 * @returns {Promise<FileServer>}
 */
export async function kindling(folder, settings = {}) {
  const port = await freePort();
  const adminPort = await freePort();
  const uri = `http://127.0.0.1:${port}`;
  const all = {
    "listen-host": "127.0.0.1",
    "listen-port": port,
    "admin-host": "127.0.0.1",
    "admin-port": adminPort,
    "store-path": join(folder, "kindling"),
    "lifecycle-owners": "none",
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)]);
  // Run as a command, with the Node flags of its first line.
  const server = await startServer({ command: STAGING_SERVER, args }, `http://127.0.0.1:${adminPort}/healthz`);
  /** @type {Map<string, string>} */
  const leases = new Map();
  /** @type {Map<string, Bundle>} */
  const bundles = new Map();
  return {
    ...server,
    uri,
    async uploadUri(digest) {
      /** @type {{ leaseId: string }} */
      const { leaseId } = await postJson(`${uri}/api/v1/leases`, { namespace: "default" });
      leases.set(digest, leaseId);
      return `${uri}/api/v1/blobs/${digest}?lease=${leaseId}`;
    },
    async downloadOf({ digest, size }) {
      const { bundleId, secret } = bundles.get(digest) ?? (await commit(uri, leases.get(digest), { digest, size }));
      bundles.set(digest, { bundleId, secret });
      return {
        uri: `${uri}/api/v1/bundles/${bundleId}/files/file`,
        headers: { authorization: `Bearer ${secret}` },
      };
    },
  };
}

/** @typedef {{ bundleId: string, secret: string }} Bundle */

/**
 * @param {string} uri
 * @param {string | undefined} lease
 * @param {StoredFile} file
 * @returns {Promise<Bundle>}
 */
async function commit(uri, lease, { digest, size }) {
  const owner = { ownerNamespace: "default", ownerLabels: { app: "benchmark" }, ownerType: "Pod" };
  const files = [{ name: "file", kind: "file", digest, size, mode: 0o644 }];
  return await postJson(`${uri}/api/v1/bundles`, { lease, owner, files });
}

/**
 * nginx with its dav module: verifies nothing, and sends files with the kernel alone.
 *
 * @param {string} folder for its files
 * @returns {Promise<FileServer>}
 */
export async function nginx(folder) {
  const port = await freePort();
  const uri = `http://127.0.0.1:${port}`;
  const root = join(folder, "nginx");
  mkdirSync(join(root, "files"), { recursive: true });
  const config = `
    pid ${root}/nginx.pid; error_log ${root}/error.log; worker_processes 1; daemon off; user root;
    events {}
    http {
      access_log off; sendfile on; client_max_body_size 0;
      client_body_temp_path ${root}/body; proxy_temp_path ${root}/proxy; fastcgi_temp_path ${root}/fastcgi;
      uwsgi_temp_path ${root}/uwsgi; scgi_temp_path ${root}/scgi;
      server { listen 127.0.0.1:${port}; location / { root ${root}/files; dav_methods PUT DELETE; } }
    }`;
  writeFileSync(join(root, "nginx.conf"), process.getuid?.() === 0 ? config : config.replace("user root;", ""));
  const server = await startServer({ command: "nginx", args: ["-c", join(root, "nginx.conf")] }, uri);
  /** @param {string} digest */
  const file = (digest) => `${uri}/${digest.slice("sha256:".length)}`;
  return {
    ...server,
    uri,
    uploadUri: (digest) => Promise.resolve(file(digest)),
    downloadOf: ({ digest }) => Promise.resolve({ uri: file(digest), headers: {} }),
  };
}

/**
 * The registry of Docker's distribution: verifies the digest before anything is visible.
 *
 * @param {string} folder for its files
 * @returns {Promise<FileServer>}
 */
export async function dockerRegistry(folder) {
  const port = await freePort();
  const uri = `http://127.0.0.1:${port}`;
  const root = join(folder, "docker-registry");
  mkdirSync(root, { recursive: true });
  const config = [
    "version: 0.1",
    "log: { level: error, accesslog: { disabled: true } }",
    `storage: { filesystem: { rootdirectory: ${root}/data }, cache: { blobdescriptor: inmemory } }`,
    `http: { addr: "127.0.0.1:${port}" }`,
  ];
  writeFileSync(join(root, "config.yml"), `${config.join("\n")}\n`);
  const env = { OTEL_TRACES_EXPORTER: "none" };
  const args = ["serve", join(root, "config.yml")];
  const server = await startServer({ command: "docker-registry", args, env }, `${uri}/v2/`);
  return {
    ...server,
    uri,
    async uploadUri(digest) {
      const { headers } = await fetch(`${uri}/v2/benchmark/blobs/uploads/`, { method: "POST" });
      return `${headers.get("location")}&digest=${digest}`;
    },
    downloadOf: ({ digest }) => Promise.resolve({ uri: `${uri}/v2/benchmark/blobs/${digest}`, headers: {} }),
  };
}

/**
 * @param {string} uri
 * @param {object} body
 */
async function postJson(uri, body) {
  const response = await fetch(uri, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${uri}: ${response.status} ${text}`);
  return JSON.parse(text);
}
