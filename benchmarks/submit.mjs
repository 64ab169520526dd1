import { existsSync } from "node:fs";
import { join } from "node:path";
import { compare, mebibytes, ratio, seconds, startStub, table } from "./measure.mjs";
import { KINDLING, submissionArguments } from "./submission.mjs";

/** `kindling submit` against the real `spark-submit`, with the same arguments and the same stand-in API server. */
export async function submit() {
  const homes = (process.env.SPARK_HOMES ?? "")
    .split(",")
    .filter((home) => existsSync(join(home, "bin", "spark-submit")));
  if (homes.length === 0) throw new Error("SPARK_HOMES names no Spark");
  const rows = [["Spark", "measured", "spark-submit", "kindling submit", "ratio", "wanted"]];
  for (const home of homes) {
    const version = /(\d+\.\d+\.\d+)\/?$/.exec(home)?.[1] ?? home;
    const stub = await startStub();
    const args = submissionArguments(stub.address, version);
    const env = { KUBECONFIG: "/dev/null", SPARK_HOME: home, SPARK_CONF_DIR: "/nonexistent" };
    const { ours, real } = compare(5, {
      real: { each: 1, program: join(home, "bin", "spark-submit"), args, env },
      ours: {
        each: 5,
        program: process.execPath,
        args: [KINDLING, "submit", ...args],
        env: { ...env, KINDLING_SPARK_VERSION: version },
      },
    });
    stub.stop();
    for (const [key, name, show, wanted] of [
      ["wall", "wall time", seconds, 40],
      ["cpu", "CPU time", seconds, 40],
      ["memory", "peak memory", mebibytes, 4],
    ]) {
      rows.push([
        version,
        name,
        show(real[key]),
        show(ours[key]),
        ratio(ours[key] / real[key]),
        `at most 1/${String(wanted)}`,
      ]);
    }
  }
  return table(rows);
}
