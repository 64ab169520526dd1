import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createKubeClient, loadClusterAccess } from "@kindling/kube";
import { expect, onTestFinished, test } from "vitest";
import { DriverMachine, PROPERTY_OF } from "./support/driver-machine.ts";

/**
 * The behaviour of a driver: it asks for an executor at the address in its configuration, with the credentials of its pod,
 * until the executor runs.
 */
const DRIVER = `${PROPERTY_OF}
import { request } from "node:https";

const account = "/var/run/secrets/kubernetes.io/serviceaccount";
const [ca, token, namespace] = ["ca.crt", "token", "namespace"].map((name) => readFileSync(account + "/" + name, "utf8"));
const pods = property("spark.kubernetes.driver.master").replace(/\\/+$/, "") + "/api/v1/namespaces/" + namespace + "/pods";

const send = (method, url, body) => new Promise((resolve, reject) => {
  const headers = { authorization: "Bearer " + token, "content-type": "application/json" };
  const sent = request(url, { method, ca, headers }, (response) => {
    let text = "";
    response.on("data", (chunk) => (text += chunk));
    response.on("end", () => (response.statusCode < 300 ? resolve(JSON.parse(text)) : reject(new Error(text))));
  });
  sent.on("error", reject);
  sent.end(body === undefined ? undefined : JSON.stringify(body));
});

const driver = await send("GET", pods + "/" + property("spark.kubernetes.driver.pod.name"));
const { name, uid, labels } = driver.metadata;
const metadata = {
  name: name + "-exec-1",
  labels: { "spark-role": "executor", "spark-app-selector": labels["spark-app-selector"], "spark-exec-id": "1" },
  ownerReferences: [{ apiVersion: "v1", kind: "Pod", name, uid, controller: true }],
};
const executor = { name: "executor", image: driver.spec.containers[0].image, command: ["sleep", "60"] };
const spec = { serviceAccountName: "spark", restartPolicy: "Never", containers: [executor] };
const asked = await send("POST", pods, { apiVersion: "v1", kind: "Pod", metadata, spec });
console.log("asked: " + asked.status.phase);
let pod = asked;
while (pod.status.phase !== "Running") {
  await new Promise((resolve) => setTimeout(resolve, 50));
  pod = await send("GET", pods + "/" + metadata.name);
}
console.log("made by a gateway: " + ("gateway.kindling/uid" in pod.metadata.annotations));
`;

test("up --gateway: a submission's executors are allocated by a gateway, and its driver has no rights", async () => {
  const machine = new DriverMachine(DRIVER);
  writeFileSync(join(machine.folder, "queues.yaml"), "queues:\n  - name: etl\n  - name: default\n");
  const up = await machine.dev("up", "--gateway", "--queues", "queues.yaml");
  expect(up, up.stderr).toMatchObject({ code: 0, stderr: "" });
  const { gateway } = await machine.status();
  expect(up.stdout).toContain(`Executors are allocated by a gateway; ${gateway?.page} shows what waits, and why.\n`);
  expect((await machine.dev("status")).stdout).toContain(`gateway     ${gateway?.uri}, its page: ${gateway?.page}\n`);
  const conf = readFileSync(join(machine.state, "conf", "spark-defaults.conf"), "utf8");
  expect(conf).toContain("spark.kindling.scheduler=gateway\n");
  expect(conf).not.toContain("driver.master");

  const access = await loadClusterAccess({ kubeconfigPath: join(machine.state, "kubeconfig") });
  const client = createKubeClient(access, { namespace: "default" });
  onTestFinished(() => client.close());
  const bindings = await client.listAll(await client.resourceFor("rbac.authorization.k8s.io/v1", "RoleBinding"));
  expect(JSON.stringify(bindings.items)).not.toContain('"spark"');

  const { code, stdout, stderr } = await machine.run("--logs").ended;
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: "asked: Pending\nmade by a gateway: true\n" });
  const queue = await machine.kindling("queue", "-o", "json");
  expect(JSON.parse(queue.stdout), queue.stderr).toMatchObject({
    capacity: {},
    queues: expect.arrayContaining([expect.objectContaining({ path: "etl" })]) as unknown[],
  });

  await machine.dev("down");
  expect(existsSync(join(machine.state, "gateway.key"))).toBe(false);
});

test.each<[string, readonly string[], RegExp]>([
  ["without a gateway", ["--queues", "queues.yaml"], /--queues without --gateway/],
  ["that are not there", ["--gateway", "--queues", "none.yaml"], /none\.yaml/],
  ["that make no sense", ["--gateway", "--queues", "bad.yaml"], /bad\.yaml/],
])("up with queues %s says so, and leaves nothing running", async (_, flags, message) => {
  const machine = new DriverMachine(DRIVER);
  writeFileSync(join(machine.folder, "bad.yaml"), "queues:\n  - nam: etl\n");
  const { code, stderr } = await machine.dev("up", ...flags);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(message);
  expect((await machine.dev("status")).code).not.toBe(0);
});
