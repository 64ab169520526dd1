// @ts-check
// Submits again and again, with eight submissions at the same time, in a separate process so that its CPU time can be measured.
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { systemOutside } from "@kindling/outside";
import { cachedInstallations, submit } from "@kindling/submit";

/**
 * The final report; memory in MiB.
 *
 * @typedef {object} Told
 * @property {number} perSecond
 * @property {number} perCpuSecond
 * @property {readonly { after: number, heap: number, rss: number }[]} memory
 */

const [address = "", total = ""] = process.argv.slice(2);
const count = Number(total);
const env = { KUBECONFIG: "/dev/null", SPARK_ENV_LOADED: "1", HOME: process.env["HOME"] };
const access = await loadClusterAccess({ env, overlays: { server: `http://${address}` } });
const client = createKubeClient(access, { namespace: "default" });
const request = {
  application: {
    resource: "local:///opt/spark/examples/jars/spark-examples.jar",
    mainClass: "org.apache.spark.examples.SparkPi",
    arguments: ["1000"],
  },
  master: `k8s://http://${address}`,
  name: "benchmark",
  conf: { "spark.kubernetes.container.image": "apache/spark:4.3.0", "spark.executor.instances": "5" },
};
const outside = { ...systemOutside(), env, cwd: "/" };
// As in services that submit often.
const installations = cachedInstallations({ clock: outside.clock });
/** @type {import("@kindling/submit").SubmitOptions} */
const options = { access: "this-machine", client, wait: false, installations, outside };

/** @type {{ after: number, heap: number, rss: number }[]} */
const memory = [];

/** @param {number} after how many submissions */
function note(after) {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  memory.push({ after, heap: heapUsed / 2 ** 20, rss: rss / 2 ** 20 });
}

/** @param {number} total */
async function submitMany(total) {
  let next = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (next++ < total) await submit(request, options);
    }),
  );
}

await submitMany(500);
note(500);
const cpu = process.cpuUsage();
const started = process.hrtime.bigint();
for (let done = 0; done < count; done += count / 4) {
  await submitMany(count / 4);
  note(500 + done + count / 4);
}
const wall = Number(process.hrtime.bigint() - started) / 1e9;
const { user, system } = process.cpuUsage(cpu);
client.close();
process.stdout.write(
  JSON.stringify({ perSecond: count / wall, perCpuSecond: count / ((user + system) / 1e6), memory }),
);
