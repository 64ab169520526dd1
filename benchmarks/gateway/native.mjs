// @ts-check
// Spark's own allocators in a JVM.
import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { end, pidOf } from "../harness/processes.mjs";
import { giveDriversRights } from "./driver-rights.mjs";
import { tokenOf } from "./driver-token.mjs";

const SOURCE = fileURLToPath(new URL("NativeAllocators.java", import.meta.url));
// The packages that Spark itself opens for its JVMs.
const OPENS = ["java.lang", "java.lang.invoke", "java.net", "java.nio", "java.util", "java.util.concurrent"];

/**
 * Compiles and starts Spark's allocators, one for each application, with the rights that Spark's documentation gives to
 * drivers. When this returns, they watch, and have not requested anything yet.
 *
 * @param {import("../harness/api-server.mjs").ApiServer} server
 * @param {object} options
 * @param {string} options.sparkHome a real Spark
 * @param {string} options.folder for the compiled program
 * @param {string} options.namespace
 * @param {number} options.applications
 * @param {number} options.executors of each
 */
export async function nativeAllocators({ client, access }, { sparkHome, folder, namespace, applications, executors }) {
  const jars = join(sparkHome, "jars", "*");
  execFileSync("javac", ["-nowarn", "-XDignore.symbol.file", "-d", folder, "-cp", jars, SOURCE], { stdio: "pipe" });
  await giveDriversRights(client, namespace);
  const [authority, token] = [join(folder, "ca.crt"), join(folder, "token")];
  writeFileSync(authority, access.tls.ca ?? "");
  writeFileSync(token, await tokenOf(client, namespace));
  const flags = OPENS.flatMap((name) => ["--add-opens", `java.base/${name}=ALL-UNNAMED`]);
  const args = [access.server, authority, token, namespace, applications, executors].map(String);
  const child = spawn("java", [...flags, "-cp", `${folder}:${jars}`, "NativeAllocators", ...args], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors = (errors + chunk).slice(-4_000)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  /** @param {string} word */
  const said = async (word) => {
    for (let next = await lines.next(); ; next = await lines.next()) {
      if (next.done) throw new Error(`the JVM ended: ${errors}`);
      if (next.value === word) return;
    }
  };
  await said("ready");
  return {
    pid: pidOf(child),
    /** Seconds until all executors have been seen running. */
    async allocate() {
      const started = performance.now();
      child.stdin.write("go\n");
      await said("running");
      return (performance.now() - started) / 1000;
    },
    stop: () => end(child, "SIGKILL"),
  };
}
