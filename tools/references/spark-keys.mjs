// @ts-check
// Writes the list of Spark's configuration keys: the names in the class files of real Sparks. With this list, a mistyped key
// can be distinguished from a key of the user. Usage: node tools/references/spark-keys.mjs SPARK_HOME... >
// packages/steps/src/keys/spark-keys.json
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

// A constant of a class file: tag 1, a length of two bytes, the text (JVM specification, 4.4.7).
const CONSTANT = /\x01([\0-\xff]{2})(spark\.[a-z][A-Za-z0-9]*(?:[.\-_][A-Za-z0-9]+)*)/g;
// Spark on Kubernetes does not read these.
const ELSEWHERE = /^spark\.(?:yarn|mesos|testing|test|worker|master|history|deploy)\./;
const MOST_BYTES = 1024 ** 3;

/** @type {Set<string>} */
const keys = new Set();
for (const home of process.argv.slice(2)) {
  const jars = join(home, "jars");
  for (const jar of readdirSync(jars).filter((name) => /^spark-.*\.jar$/.test(name))) {
    const classes = execFileSync("unzip", ["-p", join(jars, jar), "*.class"], {
      maxBuffer: MOST_BYTES,
      encoding: "latin1",
    });
    for (const [, bytes = "", text = ""] of classes.matchAll(CONSTANT)) {
      const length = bytes.charCodeAt(0) * 256 + bytes.charCodeAt(1);
      const key = text.slice(0, length);
      if (key.length === length && !ELSEWHERE.test(key)) keys.add(key);
    }
  }
}
process.stdout.write(
  `${JSON.stringify(
    [...keys].toSorted((a, b) => (a < b ? -1 : 1)),
    undefined,
    1,
  )}\n`,
);
