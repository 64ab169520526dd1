// @ts-check
import { existsSync } from "node:fs";
import { join } from "node:path";
import { compare } from "./harness/compare.mjs";
import { fraction, mebibytes, seconds } from "./harness/figures.mjs";
import { startStub } from "./harness/stub.mjs";
import { table } from "./harness/table.mjs";
import { KINDLING, submissionArguments } from "./submission.mjs";

/** @type {readonly { key: "wall" | "cpu" | "memory", name: string, show: (value: number) => string, wanted: number }[]} */
const MEASURED = [
  { key: "wall", name: "wall time", show: seconds, wanted: 40 },
  { key: "cpu", name: "CPU time", show: seconds, wanted: 40 },
  { key: "memory", name: "peak memory", show: mebibytes, wanted: 4 },
];

/** `kindling submit` compared with the real `spark-submit`, with the same arguments and the same stub API server. */
export async function submit() {
  const homes = (process.env["SPARK_HOMES"] ?? "")
    .split(",")
    .filter((home) => existsSync(join(home, "bin", "spark-submit")));
  if (homes.length === 0) throw new Error("SPARK_HOMES names no Spark");
  const rows = [["Spark", "measured", "spark-submit", "kindling submit", "ratio", "wanted"]];
  for (const home of homes) {
    const version = /(\d+\.\d+\.\d+)\/?$/.exec(home)?.[1] ?? home;
    const stub = await startStub();
    const args = submissionArguments(stub.address, version);
    const env = { KUBECONFIG: "/dev/null", SPARK_HOME: home, SPARK_CONF_DIR: "/nonexistent" };
    const { ours, real } = await compare(5, {
      real: { command: join(home, "bin", "spark-submit"), args, env },
      ours: {
        each: 5,
        command: process.execPath,
        args: [KINDLING, "submit", ...args],
        env: { ...env, KINDLING_SPARK_VERSION: version },
      },
    });
    await stub.stop();
    for (const { key, name, show, wanted } of MEASURED) {
      const figures = [show(real[key]), show(ours[key]), fraction(ours[key] / real[key])];
      rows.push([version, name, ...figures, `at most 1/${wanted}`]);
    }
  }
  return table(rows);
}
