// @ts-check
// The work of the old fork's init container: fetch a tar.gz and unpack it during the download. Done in a JVM, and by other
// means.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("ForkInitContainer.java", import.meta.url));

/** @typedef {import("../harness/measured-run.mjs").Command} Command */
/** @typedef {import("./stage.mjs").ForkBundle} ForkBundle */

/**
 * curl, gzip and tar: about the lowest possible cost.
 *
 * @param {ForkBundle} bundle
 * @param {string} target a folder
 * @returns {Command}
 */
export function curlAndTar({ uri, secret }, target) {
  const script = 'curl -sS --fail --noproxy "*" -H "authorization: $SECRET" "$0" | tar -xz -C "$1"';
  return { command: "sh", args: ["-c", script, uri, target], env: { SECRET: secret } };
}

const PYTHON = `
import os, sys, tarfile, urllib.request
request = urllib.request.Request(sys.argv[1], headers={"Authorization": os.environ["SECRET"]})
with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as response:
    with tarfile.open(fileobj=response, mode="r|gz") as archive:
        archive.extractall(sys.argv[2])
`;

/**
 * Python. Its zlib inflates as Java's does.
 *
 * @param {ForkBundle} bundle
 * @param {string} target a folder
 * @returns {Command}
 */
export function python({ uri, secret }, target) {
  return { command: "python3", args: ["-c", PYTHON, uri, target], env: { SECRET: secret } };
}

/**
 * Java with the fork's own libraries. Spark has later versions of them.
 *
 * @param {string} sparkHome
 * @param {string} folder for the compiled program
 * @returns {((bundle: ForkBundle, target: string) => Command) | undefined} `undefined` if it does not compile
 */
export function forkWithin(sparkHome, folder) {
  const libraries = `${sparkHome}/jars/*`;
  const compiled = spawnSync("javac", ["-cp", libraries, "-d", folder, PROGRAM], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (compiled.status !== 0) return undefined;
  return ({ uri, secret }, target) => {
    const args = ["-cp", `${folder}:${libraries}`, "ForkInitContainer", uri, target];
    return { command: "java", args, env: { SECRET: secret } };
  };
}
