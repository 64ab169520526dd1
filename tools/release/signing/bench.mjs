// @ts-check
// A place for signing and verifying as the release workflow and docs/verifying.md say: a registry of images on this machine,
// and a `cosign` that is told of the stand-ins beside what the commands say themselves.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { startAuthority } from "./authority.mjs";

const run = promisify(execFile);
const SERVERS = process.env["KINDLING_TEST_SERVERS"] ?? join(homedir(), ".cache", "kindling-test-servers");
const COSIGN = join(SERVERS, "bin", "cosign");
const CRANE = join(SERVERS, "bin", "crane");

/** Whether `node packages/test-kit/servers/fetch.mjs cosign crane` has been run on this machine. */
export const HAS_COSIGN = existsSync(COSIGN) && existsSync(CRANE);

/**
 * @typedef {object} Bench
 * @property {string} folder the working directory of the commands
 * @property {string} registry its host and port
 * @property {(command: string, env?: Readonly<Record<string, string>>) => Promise<string>} shell runs a command. Returns what it
 * prints, and throws an error with what it prints to stderr if it fails
 * @property {(workflow: string) => void} signAs changes the workflow that signs
 * @property {() => Promise<void>} stop
 */

/** @param {string} workflow that signs: its address with its branch @returns {Promise<Bench>} */
export async function startBench(workflow) {
  const folder = mkdtempSync(join(tmpdir(), "kindling-signing-"));
  let signer = workflow;
  const authority = await startAuthority(folder, () => signer);
  const [config, root] = [join(folder, "signing-config.json"), join(folder, "trusted_root.json")];
  const service = `url=${authority.url},api-version=1,operator=test,start-time=2020-01-01T00:00:00Z`;
  await run(COSIGN, ["signing-config", "create", "--fulcio", service, "--out", config]);
  const trusted = `url=${authority.url},certificate-chain=${authority.certificate}`;
  await run(COSIGN, ["trusted-root", "create", "--fulcio", trusted, "--out", root]);
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "cosign"), toldOfStandIns(authority.url, config, root), { mode: 0o755 });
  const registry = await startRegistry();
  const env = {
    HOME: folder,
    PATH: `${bin}:${join(SERVERS, "bin")}:${process.env["PATH"]}`,
    SIGSTORE_ID_TOKEN: identityToken(),
  };
  return {
    folder,
    registry: registry.host,
    signAs: (other) => (signer = other),
    shell: async (command, more = {}) =>
      (await run("bash", ["-euc", command], { cwd: folder, env: { ...env, ...more }, maxBuffer: 2 ** 26 })).stdout,
    stop: async () => {
      authority.close();
      await registry.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The text of a `cosign` that trusts only the stand-in, and asks nobody else. Where there is no log of signatures and none of
 * certificates, they cannot be asked for confirmation.
 *
 * @param {string} authority
 * @param {string} config
 * @param {string} root
 */
function toldOfStandIns(authority, config, root) {
  return `#!/bin/sh
case "$*" in
  *--use-signing-config=false*)
    exec '${COSIGN}' "$@" --fulcio-url '${authority}' --insecure-skip-verify --tlog-upload=false --trusted-root '${root}' ;;
  sign*|attest*) exec '${COSIGN}' "$@" --signing-config '${config}' --trusted-root '${root}' ;;
  *--trusted-root*) exec '${COSIGN}' "$@" --insecure-ignore-tlog --insecure-ignore-sct ;;
  verify*) exec '${COSIGN}' "$@" --trusted-root '${root}' --insecure-ignore-tlog --insecure-ignore-sct ;;
  *) exec '${COSIGN}' "$@" ;;
esac
`;
}

/** A token as a workflow gets it from GitHub. Its signature is not checked by the stand-in. */
function identityToken() {
  const part = (/** @type {object} */ value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return [part({ alg: "none" }), part({ iss: "https://token.actions.githubusercontent.com", sub: "repo" }), "x"].join(
    ".",
  );
}

async function startRegistry() {
  const child = spawn(CRANE, ["registry", "serve", "--address", "127.0.0.1:0"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [line] = await once(createInterface({ input: child.stderr }), "line");
  const port = /serving on port (\d+)/.exec(line)?.[1];
  if (port === undefined) throw new Error(`the registry has not started: ${line}`);
  child.stderr.resume();
  return {
    host: `127.0.0.1:${port}`,
    stop: async () => {
      child.kill();
      await once(child, "exit");
    },
  };
}
