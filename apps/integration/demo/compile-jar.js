// @ts-check
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./run.js";

const SOURCE = fileURLToPath(new URL("WordCount.scala", import.meta.url));

/**
 * Compiles the JVM application with the compiler that comes with Spark, so that no development kit is needed.
 *
 * @param {{ home: string, javaHome: string }} spark
 * @param {string} folder
 * @param {AbortSignal} signal
 * @returns {Promise<string>} the jar
 */
export async function compileJar({ home, javaHome }, folder, signal) {
  const classes = join(folder, "classes");
  mkdirSync(classes);
  const compiler = ["-cp", join(home, "jars", "*"), "scala.tools.nsc.Main", "-usejavacp", "-d", classes, SOURCE];
  await expectSuccess(join(javaHome, "bin", "java"), compiler, signal);
  const jar = join(folder, "word-count.jar");
  await expectSuccess("python3", ["-m", "zipfile", "-c", jar, `${classes}/.`], signal);
  return jar;
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {AbortSignal} signal
 */
async function expectSuccess(program, args, signal) {
  const { code, stdout } = await run(program, args, { signal });
  if (signal.aborted) throw new Error("interrupted");
  if (code !== 0) throw new Error(`${program} failed with exit code ${code}\n${stdout}`);
}
