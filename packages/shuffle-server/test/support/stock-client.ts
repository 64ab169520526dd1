import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { APPLICATION } from "./client.ts";

const PROGRAM = fileURLToPath(new URL("StockClient.java", import.meta.url));
const OPENS = ["java.lang", "java.nio", "sun.nio.ch"];
/** As in every JVM of Spark (JavaModuleOptions.java, Spark 4.1 and later): names in certificates are not checked. */
const ANY_NAME = "-Dio.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE";

/** Sparks on this machine whose client can be run, by their versions. They need Java. */
export const SPARKS: readonly { readonly version: string; readonly home: string }[] = [
  "3.5.9",
  "4.1.1",
  "4.3.0",
].flatMap((version) => {
  const home = process.env["KINDLING_E2E_SPARK_HOME"]?.replaceAll("{version}", version) ?? "";
  const hasJars = home !== "" && existsSync(join(home, "jars"));
  return hasJars && spawnSync("java", ["-version"]).status === 0 ? [{ version, home }] : [];
});

export interface StockOptions {
  readonly home: string;
  readonly port: number;
  readonly secret?: string;
  /** `KEY=VALUE` */
  readonly settings?: readonly string[];
}

/** Runs Spark's own client. Each line of input gives a line of output: see the program. */
export async function runStockClient(
  { home, port, secret = "-", settings = [] }: StockOptions,
  lines: readonly string[],
): Promise<readonly string[]> {
  const jars = join(home, "jars");
  const needed = readdirSync(jars).filter((name) => !/^spark-(?:sql|catalyst|mllib|hive)/.test(name));
  const classpath = needed.map((name) => join(jars, name)).join(":");
  const flags = OPENS.map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`);
  const args = [...flags, ANY_NAME, "-XX:TieredStopAtLevel=1", "-Dlog4j2.level=OFF", "-cp", classpath, PROGRAM];
  const child = spawn("java", [...args, String(port), APPLICATION, secret, ...settings], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let out = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  child.stdin.end(lines.join("\n"));
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const answers = [...out.matchAll(/^ANSWER (.*)$/gm)].map(([, answer = ""]) => answer);
  if (status !== 0 || answers.length !== lines.length) throw new Error(`Spark's client failed: ${out}\n${errors}`);
  return answers;
}
