// @ts-check
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess, resources } from "@kindling/kube";
import { interruptible } from "./interruptible.js";
import { kindling } from "./run.js";
import { say } from "./say.js";

const SPARK_VERSION = process.env["KINDLING_DEMO_SPARK_VERSION"] ?? "4.1.1";
const IMAGE = process.env["KINDLING_DEMO_IMAGE"] ?? `apache/spark:${SPARK_VERSION}`;
const APP_DIR = "/opt/demo";

const TEXT = new URL("../../../LICENSE", import.meta.url);
const APPLICATION = new URL("word-count.py", import.meta.url);

/** @typedef {import("@kindling/kube").KubeClient} KubeClient */

/**
 * A PySpark word count with two executors on the cluster of the current kubeconfig, in its own namespace, which is deleted at
 * the end, also after an error.
 *
 * @param {{ limitMs: number }} options how long the application may take
 * @returns {Promise<number>} the exit code
 */
export async function clusterDemo({ limitMs }) {
  const namespace = `kindling-demo-${randomBytes(3).toString("hex")}`;
  const client = await connect(namespace);
  if (client === undefined) return 1;
  try {
    return await interruptible(async (stop) => {
      say(`making namespace ${namespace} with an account for the driver`);
      await prepare(client, namespace);
      return await submit(namespace, limitMs, stop);
    });
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return 1;
  } finally {
    await client.delete(resources.namespaces, namespace).catch(() => undefined);
    say(`namespace ${namespace} goes away`);
    client.close();
  }
}

/** @param {string} namespace */
async function connect(namespace) {
  try {
    const access = await loadClusterAccess({ env: process.env });
    const found = createKubeClient(access, { namespace });
    await found.listAll(resources.namespaces);
    return found;
  } catch (error) {
    say(`no cluster to run on: ${error instanceof Error ? error.message : String(error)}`);
    say("--cluster uses the current context of your kubeconfig: `kubectl config current-context` names it.");
    say("without --cluster, the demo brings a cluster of its own.");
    return undefined;
  }
}

/**
 * @param {KubeClient} client
 * @param {string} namespace
 */
async function prepare(client, namespace) {
  await client.create(resources.namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "spark" } };
  const rbac = { apiVersion: "rbac.authorization.k8s.io/v1", metadata: { name: "spark" } };
  const role = {
    ...rbac,
    kind: "Role",
    rules: [{ apiGroups: [""], resources: ["pods", "configmaps", "services", "persistentvolumeclaims"], verbs: ["*"] }],
  };
  const binding = {
    ...rbac,
    kind: "RoleBinding",
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "spark" },
    subjects: [{ kind: "ServiceAccount", name: "spark", namespace }],
  };
  const application = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "application" },
    data: { "word-count.py": readFileSync(APPLICATION, "utf8"), "text.txt": readFileSync(TEXT, "utf8") },
  };
  for (const object of [account, role, binding, application]) {
    await client.create(await client.resourceFor(object.apiVersion, object.kind), object);
  }
}

/**
 * @param {string} namespace
 * @param {number} limitMs
 * @param {AbortController} stop
 * @returns {Promise<number>} the exit code of `kindling submit`
 */
async function submit(namespace, limitMs, stop) {
  const folder = mkdtempSync(join(tmpdir(), "kindling-demo-"));
  const template = join(folder, "driver.yaml");
  writeFileSync(
    template,
    `apiVersion: v1
kind: Pod
spec:
  containers:
    - volumeMounts:
        - {name: application, mountPath: ${APP_DIR}}
  volumes:
    - name: application
      configMap: {name: application}
`,
  );
  const conf = {
    "spark.kubernetes.namespace": namespace,
    "spark.kubernetes.container.image": IMAGE,
    "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
    "spark.kubernetes.driver.podTemplateFile": template,
    "spark.executor.instances": "2",
    "spark.driver.memory": "512m",
    "spark.executor.memory": "512m",
    "spark.kubernetes.driver.request.cores": "200m",
    "spark.kubernetes.executor.request.cores": "200m",
    "spark.kindling.sparkVersion": SPARK_VERSION,
    "spark.log.level": "WARN",
  };
  const args = ["submit", "--name", "word count", "--submission-id", "demo", "--logs"];
  for (const [key, value] of Object.entries(conf)) args.push("--conf", `${key}=${value}`);
  args.push(`local://${APP_DIR}/word-count.py`, `${APP_DIR}/text.txt`, "10");
  const timer = setTimeout(() => stop.abort("SIGTERM"), limitMs);
  const begun = Date.now();
  try {
    const { code } = await kindling("kindling", args, { shows: true, signal: stop.signal });
    if (Date.now() - begun < limitMs || !stop.signal.aborted) return code;
    say(`it has not ended within ${limitMs / 60_000} minutes (--time-limit); this is how it is:`);
    await kindling("kindling", ["status", "-n", namespace, "demo"], { shows: true });
    return 1;
  } finally {
    clearTimeout(timer);
    rmSync(folder, { recursive: true, force: true });
  }
}
