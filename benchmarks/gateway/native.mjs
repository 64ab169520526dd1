// Spark's own allocators in a JVM.
import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { giveDriversRights } from "./driver-rights.mjs";

const SOURCE = fileURLToPath(new URL("NativeAllocators.java", import.meta.url));
// As Spark itself starts its JVMs.
const OPENS = ["java.lang", "java.lang.invoke", "java.net", "java.nio", "java.util", "java.util.concurrent"];

/**
 * Compiles and starts Spark's allocators, one for each application, with the rights that Spark's documentation gives to
 * drivers. They watch when this returns, and have asked for nothing.
 *
 * @param sparkHome a real Spark
 */
export async function nativeAllocators({ client, access }, { sparkHome, folder, namespace, applications, executors }) {
  const jars = join(sparkHome, "jars", "*");
  execFileSync("javac", ["-nowarn", "-XDignore.symbol.file", "-d", folder, "-cp", jars, SOURCE], { stdio: "pipe" });
  await giveDriversRights(client, namespace);
  const [authority, token] = [join(folder, "ca.crt"), join(folder, "token")];
  writeFileSync(authority, access.tls.ca);
  writeFileSync(token, await tokenOf(client, namespace));
  const flags = OPENS.flatMap((name) => ["--add-opens", `java.base/${name}=ALL-UNNAMED`]);
  const args = [access.server, authority, token, namespace, applications, executors].map(String);
  const child = spawn("java", [...flags, "-cp", `${folder}:${jars}`, "NativeAllocators", ...args], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors = (errors + chunk).slice(-4_000)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said = async (word) => {
    for (let next = await lines.next(); ; next = await lines.next()) {
      if (next.done) throw new Error(`the JVM ended: ${errors}`);
      if (next.value === word) return;
    }
  };
  await said("ready");
  return {
    pid: child.pid,
    /** Seconds until all executors have been seen to run. */
    async allocate() {
      const started = performance.now();
      child.stdin.write("go\n");
      await said("running");
      return (performance.now() - started) / 1000;
    },
    async stop() {
      const ended = new Promise((resolve) => child.on("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function tokenOf(client, namespace) {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/spark/token`;
  const { status } = await client.request({ method: "POST", path, body: { spec: { expirationSeconds: 7200 } } });
  return status.token;
}
