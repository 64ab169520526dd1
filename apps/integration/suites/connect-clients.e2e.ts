import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sparkVersionOf } from "@kindling/core-spec";
import { type KubeObjectLike, resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ConnectService, smallProfile, startConnect, connectToken } from "../clusters/connect.ts";
import { clientFile, ConnectClients, lacking } from "../clusters/connect-clients.ts";
import { startJupyterHub } from "../clusters/jupyterhub.ts";
import type { Ended } from "../clusters/kindling.ts";
import { SHORT_LIVED, SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const VERSION = SPARK_VERSIONS.at(-1) ?? "";
const CLIENT = "pyspark-client";
const NO = {
  papermill: lacking(CLIENT, "papermill", "ipykernel"),
  dbt: lacking(CLIENT, "dbt-core", "dbt-spark"),
  airflow: lacking(CLIENT, "apache-airflow", "apache-airflow-providers-apache-spark"),
  kubeflow: lacking(CLIENT, "kubeflow", "kubeflow-spark-api"),
  jupyterhub: lacking(CLIENT, "papermill", "jupyterhub", "jupyter-server", "configurable-http-proxy"),
};
const ACCOUNT = "alice";
const WAREHOUSE = "/warehouse";
// Each client, and the driver too, begins with some seconds of work for a processor. On a busy machine that takes minutes.
const LIMIT_MS = 600_000;

// Before, Spark's image has no Connect server.
const isPossible = sparkVersionOf(VERSION).has("connect-port") && Object.values(NO).some((why) => why === "");

describe.skipIf(!isPossible)(`stock clients of Spark Connect through kindling-connect, on Spark ${VERSION}`, () => {
  let namespace: TestNamespace;
  let connect: ConnectService;
  let volume: readonly KubeObjectLike[];
  let clients: ConnectClients;

  beforeAll(async () => {
    clients = new ConnectClients();
    namespace = await TestNamespace.create("connect-clients");
    volume = await namespace.apply(sharedVolume(namespace.name));
    const metadata = { name: ACCOUNT };
    await namespace.client.create(resources.serviceaccounts, { apiVersion: "v1", kind: "ServiceAccount", metadata });
    const small = smallProfile(namespace, VERSION);
    connect = await startConnect(namespace, {
      small: { ...small, conf: { ...(small["conf"] as object), ...SHORT_LIVED, ...warehouse(namespace.name) } },
    });
  });
  afterAll(async () => {
    clients.remove();
    await connect.stop();
    await namespace.delete(volume);
    await namespace.remove();
  });

  const run = (command: readonly [string, ...string[]]): Promise<Ended> =>
    clients.runAs({ account: ACCOUNT, namespace, port: connect.port }, command);

  // At the same time: most of each is the start of Python.
  describe("at the same time", { concurrent: true, timeout: LIMIT_MS }, () => {
    test.skipIf(NO.papermill !== "")(`papermill runs a notebook${NO.papermill}`, async () => {
      const output = join(clients.folder, "total.ipynb");
      const ended = await run(["papermill", clientFile("total.ipynb"), output, "-p", "rows", "1000"]);
      expect(ended, ended.err).toMatchObject({ exit: 0 });
      const { cells } = JSON.parse(readFileSync(output, "utf8")) as { readonly cells: readonly object[] };
      expect(JSON.stringify(cells.at(-1))).toContain("499500");
    });

    test.skipIf(NO.jupyterhub !== "")(
      `JupyterHub starts a user's server, where papermill runs a notebook${NO.jupyterhub}`,
      async () => {
        const output = join(clients.folder, "hub.ipynb");
        const port = connect.port;
        const hub = await startJupyterHub(clients, {
          port,
          tokens: { [ACCOUNT]: await connectToken(namespace, ACCOUNT) },
        });
        const args = [clientFile("jupyterhub-notebook.py"), ACCOUNT, clientFile("total.ipynb"), output];
        const ended = await Promise.race([clients.run("python", args, hub.env), hub.ended]);
        expect(ended.out, ended.err).toMatch(/^NOTEBOOK ok/m);
        const { cells } = JSON.parse(readFileSync(output, "utf8")) as { readonly cells: readonly object[] };
        expect(JSON.stringify(cells.at(-1))).toContain("499500");
      },
    );

    test.skipIf(NO.dbt !== "")(`dbt builds and tests a project${NO.dbt}`, async () => {
      const project = join(clients.folder, "dbt");
      // dbt writes into the folder of its project.
      cpSync(clientFile("dbt"), project, { recursive: true });
      const ended = await run(["dbt", "build", "--project-dir", project, "--profiles-dir", project]);
      expect(ended, ended.out + ended.err).toMatchObject({ exit: 0 });
      expect(ended.out).toContain("PASS=7 WARN=0 ERROR=0 SKIP=0");
    });

    test.skipIf(NO.airflow !== "")(
      `Airflow runs a task with @task.pyspark, and a declarative pipeline${NO.airflow}`,
      async () => {
        const connection = {
          conn_type: "spark_connect",
          host: "localhost",
          port: connect.port,
          password: await connectToken(namespace, ACCOUNT),
        };
        const spec = clientFile("pipeline/spark-pipeline.yml");
        const ended = await clients.run("python", [clientFile("airflow-tasks.py"), spec], {
          AIRFLOW_CONN_SPARK_CONNECT_DEFAULT: JSON.stringify(connection),
        });
        expect(ended.out, ended.err).toMatch(/^TOTAL 499500$/m);
        expect(ended.out, ended.err).toMatch(/^PIPELINE succeeded$/m);
      },
    );

    test.skipIf(NO.kubeflow !== "")(`kubeflow's SDK connects to the address${NO.kubeflow}`, async () => {
      const ended = await run(["python", clientFile("kubeflow-connect.py")]);
      expect(ended.out, ended.err).toMatch(/^TOTAL 499500$/m);
    });
  });

  test("all of them have used one driver", async () => {
    const { items } = await namespace.client.listAll(resources.pods, { labelSelector: "spark-role=driver" });
    expect(items.map(({ status }) => status?.phase)).toEqual(["Running"]);
  });
});

/** Drivers and executors must see the same files. The node's own folder may be written by the user of Spark's image. */
function sharedVolume(namespace: string): string {
  return `apiVersion: v1
kind: PersistentVolume
metadata: {name: ${namespace}}
spec:
  storageClassName: ""
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteMany]
  claimRef: {namespace: ${namespace}, name: warehouse}
  hostPath: {path: /tmp, type: Directory}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: warehouse}
spec:
  storageClassName: ""
  volumeName: ${namespace}
  accessModes: [ReadWriteMany]
  resources: {requests: {storage: 1Gi}}
`;
}

function warehouse(folder: string): Readonly<Record<string, string>> {
  const volumes = ["driver", "executor"].map((role) => {
    const key = `spark.kubernetes.${role}.volumes.persistentVolumeClaim.warehouse`;
    return { [`${key}.options.claimName`]: "warehouse", [`${key}.mount.path`]: WAREHOUSE };
  });
  return Object.assign({ "spark.sql.warehouse.dir": `${WAREHOUSE}/${folder}` }, ...volumes) as Record<string, string>;
}
