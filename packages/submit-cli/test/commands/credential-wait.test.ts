import { join } from "node:path";
import { expect, test } from "vitest";
import { sparkPod } from "../fixtures/driver-pod.ts";
import { kubeconfigFor, startKindling } from "../fixtures/kindling-process.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { TestCluster } from "@kindling/test-cluster/test-cluster";
import { APP, conf } from "../fixtures/submission.ts";

const V1 = "client.authentication.k8s.io/v1";
const DRIVER = "spark-jobs:etl-1-driver";
const SUBMIT = conf({
  "spark.kubernetes.namespace": "spark-jobs",
  "spark.kubernetes.container.image": "apache/spark:4.3.0",
  "spark.kubernetes.submission.waitAppCompletion": "false",
});

test.each([
  ["submit", [...SUBMIT, ...APP]],
  ["status", [DRIVER]],
  ["kill", [DRIVER]],
])(
  "kindling %s says what it waits for when a credential plug-in takes long, and goes on when it has come",
  async (command, args) => {
    const cluster = await TestCluster.start({ token: "t" });
    await cluster.createPod(sparkPod("etl-1-driver"));
    const folder = scratchFolder();
    const go = join(folder.path, "go");
    const credential = JSON.stringify({ apiVersion: V1, kind: "ExecCredential", status: { token: "t" } });
    const plugin = folder.writeScript(
      "login",
      `for _ in $(seq 600); do test -e '${go}' && break; sleep 0.1; done\necho '${credential}'`,
    );
    const user = { exec: { apiVersion: V1, command: plugin, interactiveMode: "Never" } };
    const kubeconfig = kubeconfigFor(cluster, user);
    const running = startKindling([command, ...args], { env: { KUBECONFIG: kubeconfig } });
    const whose = `the credential plug-in ${plugin} of user "tester" in ${kubeconfig}`;
    await running.saying(`note: waiting for ${whose}, for 60 s at most`);
    expect(cluster.api.requests).toEqual([]);
    folder.write("go", "");
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).not.toContain("waiting for");
    expect(stderr.match(/waiting for/g)).toHaveLength(1);
    expect(cluster.api.requests.length).toBeGreaterThan(0);
  },
  60_000,
);
