// @ts-check
// Programs outside an application that try to take part in it, with Spark's own network code.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("Foreign.java", import.meta.url));
const OPENS = ["java.lang", "java.lang.invoke", "java.nio", "sun.nio.ch"];
/** Spark's handshake by challenges; without it, only authentication by SASL is tried. */
const AES = ["spark.network.crypto.enabled=true", "spark.network.crypto.authEngineVersion=2"];

/**
 * @typedef {object} Try
 * @property {string} host
 * @property {number} port
 * @property {number} count
 * @property {string} [secret] the secret for Spark's handshake; without one, there is no handshake
 */

/**
 * Tries to get in, and returns how often that worked, for each of the given tries.
 *
 * @param {object} options
 * @param {string} options.sparkHome a real Spark
 * @param {string} options.folder for the compiled program
 * @param {readonly string[]} options.settings of Spark, `key=value`
 * @param {readonly Try[]} tries
 * @returns {number[]}
 */
export function getIn({ sparkHome, folder, settings }, tries) {
  const jars = join(sparkHome, "jars", "*");
  execFileSync("javac", ["-nowarn", "-d", folder, "-cp", jars, SOURCE], { stdio: "pipe" });
  const flags = OPENS.flatMap((name) => ["--add-opens", `java.base/${name}=ALL-UNNAMED`]);
  // Netty 4.2 compares names otherwise. Spark's own programs say so, too.
  flags.push("-Dlog4j2.level=OFF", "-Dio.netty.handler.ssl.defaultEndpointVerificationAlgorithm=NONE");
  const input = tries.map(({ host, port, count, secret = "-" }) => `${host} ${port} ${count} ${secret}\n`).join("");
  const out = execFileSync("java", [...flags, "-cp", `${folder}:${jars}`, "Foreign", ...settings], {
    input,
    encoding: "utf8",
    stdio: ["pipe", "pipe", "ignore"],
    // Netty may write into the same stream, however its log is set.
    maxBuffer: Infinity,
  });
  return [...out.matchAll(/^ADMITTED (\d+)$/gm)].map(([, count]) => Number(count));
}

/**
 * The settings for a client that speaks TLS, with the application's certificate and key, or Spark's own encryption.
 *
 * @param {{ certificate: string, key: string } | undefined} tls paths
 */
export function clientSettings(tls) {
  if (tls === undefined) return AES;
  return [
    "spark.ssl.rpc.enabled=true",
    "spark.ssl.rpc.openSslEnabled=true",
    `spark.ssl.rpc.certChain=${tls.certificate}`,
    `spark.ssl.rpc.privateKey=${tls.key}`,
  ];
}
