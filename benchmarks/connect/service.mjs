// @ts-check
// kindling-connect as a process of this machine, with TLS and users that have tokens.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { testAuthority } from "@kindling/test-kit/certificates";
import { freePort } from "@kindling/test-kit/free-port";
import { ENVIRONMENT } from "../harness/environment.mjs";
import { end, pidOf, untilAnswered } from "../harness/processes.mjs";

const PROGRAM = fileURLToPath(new URL("../../packages/connect/bin/kindling-connect.cjs", import.meta.url));
/** The user that each service has. */
export const USER = "somebody";
const TOKEN = "token-of-the-benchmark";

/**
 * @typedef {object} ServiceOptions
 * @property {string} profiles YAML
 * @property {string} namespace of all profiles
 * @property {Readonly<Record<string, string>>} [users] names of further users, with their tokens
 * @property {readonly string[]} [settings] further flags
 */

/**
 * @typedef {object} Service
 * @property {string} remote the address with its token, for clients
 * @property {string} caFile
 * @property {number} port
 * @property {string} token
 * @property {() => number} pid
 * @property {(users: Readonly<Record<string, string>>) => void} setUsers changes the further users while it runs
 * @property {() => number} warmed how many drivers have run their first query, and wait for a session
 * @property {() => Promise<void>} start
 * @property {(signal?: NodeJS.Signals) => Promise<void>} stop
 */

/**
 * Prepares the service; it is started by `start`, as often as one likes, always at the same port.
 *
 * @param {string} folder for its files
 * @param {ServiceOptions} options
 * @returns {Promise<Service>}
 */
export async function connectService(folder, { profiles, namespace, users = {}, settings = [] }) {
  const authority = testAuthority("benchmark");
  const { cert, key } = authority.issue("localhost");
  const files = {
    "ca.pem": authority.cert,
    "cert.pem": cert,
    "key.pem": key,
    "access.json": accessList(users),
    "profiles.yaml": profiles,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const [port, adminPort] = [await freePort(), await freePort()];
  const args = [
    ...[
      "--listen-port",
      String(port),
      "--admin-port",
      String(adminPort),
      "--profiles-file",
      join(folder, "profiles.yaml"),
    ],
    ...[
      "--tls-cert-file",
      join(folder, "cert.pem"),
      "--tls-key-file",
      join(folder, "key.pem"),
      "--service-name",
      serviceName(namespace),
    ],
    ...["--auth-modes", "token", "--auth-access-file", join(folder, "access.json"), "--log-level", "info"],
    ...["--cluster-namespaces", namespace, ...settings],
  ];
  /** @type {import("node:child_process").ChildProcess | undefined} */
  let child;
  let warmed = 0;
  return {
    remote: `sc://localhost:${port}/;use_ssl=true;token=${TOKEN}`,
    caFile: join(folder, "ca.pem"),
    port,
    token: TOKEN,
    setUsers(wanted) {
      // The service may read it at any moment.
      writeFileSync(join(folder, "access.json.new"), accessList(wanted));
      renameSync(join(folder, "access.json.new"), join(folder, "access.json"));
    },
    warmed: () => warmed,
    pid: () => (child === undefined ? 0 : pidOf(child)),
    async start() {
      const started = spawn(process.execPath, [PROGRAM, ...args], {
        env: { ...ENVIRONMENT, KUBECONFIG: process.env["KUBECONFIG"] },
        stdio: ["ignore", "pipe", "inherit"],
      });
      createInterface({ input: started.stdout }).on("line", (line) => {
        if (line.includes("a driver waits for a session")) warmed += 1;
      });
      child = started;
      await untilAnswered(started, `http://127.0.0.1:${adminPort}/readyz`, ({ ok }) => ok);
    },
    async stop(signal) {
      if (child !== undefined) await end(child, signal);
    },
  };
}

/**
 * Another run may be under way in another namespace, whose drivers are not this one's.
 *
 * @param {string} namespace
 */
export function serviceName(namespace) {
  return `benchmark-${namespace}`.slice(0, 63);
}

/** @param {Readonly<Record<string, string>>} users names and tokens */
function accessList(users) {
  const subjects = Object.entries({ [USER]: TOKEN, ...users }).map(([name, token]) => ({
    name,
    tokenSha256: createHash("sha256").update(token).digest("hex"),
    namespaces: ["*"],
  }));
  return JSON.stringify({ subjects });
}
