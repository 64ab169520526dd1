// @ts-check
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileJar } from "./compile-jar.js";
import { interruptible } from "./interruptible.js";
import { kindling } from "./run.js";
import { say } from "./say.js";

const TEXT = fileURLToPath(new URL("../../../LICENSE", import.meta.url));
const PYTHON = fileURLToPath(new URL("word-count.py", import.meta.url));
const RESULT = /^ *\d+ [a-z]+$/;

/**
 * The main job on a machine without a cluster: `kindling dev` starts one. A PySpark and a JVM application, and the text that
 * they read, are files of this machine and go through its staging server.
 *
 * @param {{ yes: boolean }} options
 * @returns {Promise<number>} the exit code
 */
export async function embeddedDemo({ yes }) {
  const folder = mkdtempSync(join(tmpdir(), "kindling-demo-"));
  const state = ["--state", join(folder, "state")];
  try {
    // However the demo ends, the cluster must not be left behind.
    return await interruptible(async ({ signal }) => {
      const code = await up(state, yes, signal);
      return code === 0 ? await submitBoth(state, folder, signal) : code;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {readonly string[]} state
 * @param {boolean} yes
 * @param {AbortSignal} signal
 * @returns {Promise<number>} the exit code
 */
async function up(state, yes, signal) {
  const version = process.env["KINDLING_DEMO_SPARK_VERSION"];
  const wanted = version === undefined ? [] : ["--spark", version];
  // If nobody can be asked, the needed downloads are made and reported.
  const asked = yes || !process.stdin.isTTY ? ["--yes"] : [];
  const { code } = await kindling("kindling dev", ["up", ...state, ...wanted, ...asked], { signal });
  if (code !== 0 && !signal.aborted) say("to use the cluster of your kubeconfig instead: npm run demo -- --cluster");
  return code;
}

/**
 * @param {readonly string[]} state
 * @param {string} folder
 * @param {AbortSignal} signal
 * @returns {Promise<number>} the exit code
 */
async function submitBoth(state, folder, signal) {
  try {
    const status = JSON.parse((await kindling("kindling dev", ["status", ...state, "-o", "json"])).stdout);
    say(`compiling the JVM application with Spark ${status.spark.version}'s own Scala compiler`);
    const jar = await compileJar(status.spark, folder, signal);
    const env = { KUBECONFIG: status.kubeconfig, SPARK_CONF_DIR: status.confDir };
    for (const application of [
      { name: "PySpark", args: [PYTHON] },
      { name: "JVM", args: ["--class", "WordCount", jar] },
    ]) {
      if (signal.aborted) return 130;
      const code = await submit(application, env, signal);
      if (code !== 0) return code;
    }
    return 0;
  } finally {
    await kindling("kindling dev", ["down", ...state]);
  }
}

/**
 * Submits an application, follows it, and shows its output.
 *
 * @param {{ name: string, args: readonly string[] }} application its flags, and its file as the last of them
 * @param {Record<string, string>} env
 * @param {AbortSignal} signal
 */
async function submit({ name, args }, env, signal) {
  const conf = {
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.log.level": "WARN",
  };
  const flags = ["--name", `word count ${name}`, "--num-executors", "2", "--files", TEXT, "--logs"];
  for (const [key, value] of Object.entries(conf)) flags.push("--conf", `${key}=${value}`);
  const began = Date.now();
  const { code, stdout } = await kindling("kindling", ["submit", ...flags, ...args, basename(TEXT), "10"], {
    env,
    signal,
  });
  if (signal.aborted) return 130;
  const lines = stdout.trimEnd().split("\n");
  const words = lines.filter((line) => RESULT.test(line));
  if (code !== 0 || words.length === 0) {
    process.stdout.write(`${lines.slice(-40).join("\n")}\n`);
    say(`the ${name} application failed; above are the last lines of its driver's log`);
    return code === 0 ? 1 : code;
  }
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  say(`the ${words.length} most frequent words of ${basename(TEXT)}, counted by ${name} in ${seconds} s:`);
  process.stdout.write(`${words.join("\n")}\n`);
  return 0;
}
