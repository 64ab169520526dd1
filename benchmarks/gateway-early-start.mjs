import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resources } from "@kindling/kube";
import { apiServer, inNamespace } from "./gateway/api-server.mjs";
import { gatewayProcess } from "./gateway/gateway-process.mjs";
import { kindling } from "./gateway/kindling.mjs";
import { median, table } from "./measure.mjs";

const VERSIONS = (process.env.KINDLING_E2E_SPARK_VERSIONS ?? "3.5.9,4.3.0").split(",");
const HOST = process.env.KINDLING_E2E_STAGING_HOST;
const RUNS = Number(process.env.KINDLING_BENCH_RUNS ?? 5);
/** What executors have to do before they start, in seconds: nothing, or as with files that take so long to come. */
const PREPARATIONS = [0, 5];
const FOLDER = "/opt/app";

const WAYS = ["natively", "gateway", "early"];

/** From a submission to both of its executors: with drivers that make them, through the gateway, and with early start. */
export async function gatewayEarlyStart() {
  const folder = mkdtempSync(join(tmpdir(), "kindling-benchmark-"));
  const server = await apiServer(folder);
  try {
    return await inNamespace(server, `kindling-benchmark-early-${process.pid}`, (namespace) =>
      compared(server, folder, namespace),
    );
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

async function compared({ client, kubeconfig }, folder, namespace) {
  const gateway = await gatewayProcess({ kubeconfig, namespace, host: HOST });
  const rows = [["from the submission to both executors, median of", "natively", "gateway", "with early start"]];
  try {
    await prepare(client, namespace);
    for (const version of VERSIONS) {
      for (const seconds of PREPARATIONS) {
        const measured = Object.fromEntries(WAYS.map((way) => [way, []]));
        for (let run = 0; run <= RUNS; run++) {
          for (const way of WAYS) {
            const took = await once(client, { way, version, seconds, namespace, folder, gateway });
            // The first finds the files of the image unread.
            if (run > 0) measured[way].push(took);
          }
        }
        const what = seconds === 0 ? "" : `, executors prepare for ${seconds} s`;
        rows.push([`Spark ${version}${what}: ${RUNS}`, ...WAYS.map((way) => `${median(measured[way]).toFixed(1)} s`)]);
      }
    }
  } finally {
    await gateway.stop();
  }
  return table(rows);
}

/** The application, an account that may do all that a driver does, and one that may do nothing. */
async function prepare(client, namespace) {
  const data = { "ready.py": readFileSync(new URL("gateway/ready.py", import.meta.url), "utf8") };
  await client.create(resources.configmaps, { metadata: { name: "applications" }, data }, { namespace });
  await client.create(resources.serviceaccounts, { metadata: { name: "nobody" } }, { namespace });
  await client.request({
    method: "POST",
    path: `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/rolebindings`,
    body: {
      metadata: { name: "spark" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "edit" },
      subjects: [{ kind: "ServiceAccount", name: "spark", namespace }],
    },
  });
}

/** Seconds from the submission until both executors have registered. */
async function once(client, { way, version, seconds, namespace, folder, gateway }) {
  const image = `apache/spark:${version}`;
  const template = (role, initContainers) => {
    const file = join(folder, `${role}.json`);
    const container = { name: `spark-${role}`, volumeMounts: [{ name: "applications", mountPath: FOLDER }] };
    const volumes = [{ name: "applications", configMap: { name: "applications" } }];
    const spec = { containers: [container], volumes, initContainers };
    writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "Pod", spec }));
    return file;
  };
  const preparation = { name: "prepare", image, command: ["sleep", String(seconds)] };
  const conf = {
    "spark.kindling.sparkVersion": version,
    "spark.kubernetes.namespace": namespace,
    "spark.kubernetes.container.image": image,
    "spark.kubernetes.authenticate.driver.serviceAccountName": way === "natively" ? "spark" : "nobody",
    "spark.kubernetes.driver.podTemplateFile": template("driver", []),
    "spark.kubernetes.executor.podTemplateFile": template("executor", seconds === 0 ? [] : [preparation]),
    "spark.kubernetes.driver.request.cores": "100m",
    "spark.kubernetes.executor.request.cores": "100m",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.executor.instances": "2",
    ...(way !== "natively" && {
      "spark.kindling.scheduler": "gateway",
      "spark.kindling.scheduler.uri": `https://${HOST}:${new URL(gateway.uri).port}`,
      "spark.kindling.scheduler.caFile": gateway.caFile,
      "spark.kindling.scheduler.earlyStart": String(way === "early"),
    }),
  };
  const flags = Object.entries(conf).flatMap(([key, value]) => ["--conf", `${key}=${value}`]);
  const began = Date.now();
  const { exit, out, err } = await kindling(["submit", ...flags, "--logs", `local://${FOLDER}/ready.py`]);
  const ready = /^READY (\d+)$/m.exec(out)?.[1];
  if (ready === undefined) throw new Error(`an application ended with ${exit}: ${err}${out.slice(-3_000)}`);
  const driver = /submission ID \S+:(\S+)/.exec(err)?.[1];
  await client.delete(resources.pods, driver, { namespace, gracePeriodSeconds: 0 });
  return (Number(ready) - began) / 1000;
}
