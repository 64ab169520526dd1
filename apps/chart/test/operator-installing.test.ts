import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EmbeddedCluster } from "../src/embedded.ts";
import { hasHelm, helm, OPERATOR_CHART, WHERE_HELM_IS } from "../src/helm.ts";
import { KUBEFLOW_CHART, renderOperator } from "../src/operator.ts";
import { find, NAMESPACE, valueFlags, type Values } from "../src/render.ts";

describe.skipIf(!hasHelm)(`the operator's chart, installed by Helm on the embedded cluster${WHERE_HELM_IS}`, () => {
  let cluster: EmbeddedCluster;

  beforeAll(async () => {
    cluster = await EmbeddedCluster.start();
  });
  afterAll(async () => {
    await cluster.stop();
  });

  async function onRelease(verb: "install" | "upgrade", values: Values): Promise<string> {
    const flags = ["--namespace", NAMESPACE, "--wait", "--timeout", "60s", ...valueFlags(values)];
    return await helm([verb, "spark-operator", OPERATOR_CHART, ...flags], cluster.kubeconfig);
  }

  test("makes the definitions, tells what has no effect, goes back, and leaves nothing else behind", async () => {
    const before = await cluster.objects();
    const namespaces = { "spark.jobNamespaces": ["etl", "adhoc"] };
    const notes = await onRelease("install", namespaces);
    expect(notes).toContain(`is in namespace ${NAMESPACE}; it serves etl, adhoc.`);
    expect(notes).toContain("kubectl -n etl get sparkapplications");
    expect(notes).not.toMatch(/no effect|kubeflow/);
    for (const kind of ["SparkApplication", "ScheduledSparkApplication"])
      await cluster.client.resourceFor("sparkoperator.k8s.io/v1beta2", kind);

    const told = await onRelease("upgrade", { ...KUBEFLOW_CHART.values, "controller.worker": 3, ...namespaces });
    expect(told).toContain("The values name kubeflow's image.");
    expect(told).toContain("controller.kubeAPIQPS=20 bounds how fast");
    expect(told).toContain(
      "no effect here: webhook.*, certManager.*, controller.logEncoder, controller.pprof, controller.workqueueRateLimiter.\n",
    );
    expect(told).toContain("does not know, and that have no effect: controller.worker.");

    const back = await helm(["rollback", "spark-operator", "--namespace", NAMESPACE], cluster.kubeconfig);
    expect(back).toContain("Rollback was a success");

    await helm(["uninstall", "spark-operator", "--namespace", NAMESPACE], cluster.kubeconfig);
    expect(await cluster.objects()).toEqual(before);
  });

  test("the Job of hook.upgradeCrd brings the definitions to those of the chart", async () => {
    const hook = await renderOperator({ "hook.upgradeCrd": true });
    const { data = {} } = find(hook, "ConfigMap", "spark-operator-hook");
    const folder = await mkdtemp(join(tmpdir(), "kindling-operator-hook-"));
    try {
      for (const [name, text] of Object.entries(data)) await writeFile(join(folder, name), text);
      const { clusters, users } = parse(await readFile(cluster.kubeconfig, "utf8")) as Kubeconfig;
      const { server, "certificate-authority-data": authority } = clusters[0].cluster;
      await writeFile(join(folder, "token"), users[0].user.token);
      await writeFile(join(folder, "ca.crt"), Buffer.from(authority, "base64"));
      const { hostname, port } = new URL(server);
      const env = {
        NODE_EXTRA_CA_CERTS: join(folder, "ca.crt"),
        KUBERNETES_SERVICE_HOST: hostname,
        KUBERNETES_SERVICE_PORT: port,
      };
      const args = [join(folder, "apply-definitions.mjs"), folder, folder];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      expect(stdout.trim().split("\n").toSorted()).toEqual([
        "scheduledsparkapplications.sparkoperator.k8s.io: applied",
        "sparkapplications.sparkoperator.k8s.io: applied",
        "sparkconnects.sparkoperator.k8s.io: applied",
      ]);

      await writeFile(join(folder, "token"), "wrong");
      await expect(promisify(execFile)(process.execPath, args, { env })).rejects.toMatchObject({
        stdout: expect.stringContaining("sparkapplications.sparkoperator.k8s.io: status 401: ") as string,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly "certificate-authority-data": string } },
  ];
  readonly users: readonly [{ readonly user: { readonly token: string } }];
}
