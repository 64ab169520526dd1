import { DevCluster, type Script } from "@kindling/devcluster";
import { createKubeClient, loadClusterAccess, resources, type KubeClient } from "@kindling/kube";
import { expect, onTestFinished, test } from "vitest";
import { kindling, type Finished } from "../fixtures/kindling-process.ts";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";
import { stagingServer } from "../fixtures/staging-server.ts";
import { conf } from "../fixtures/submission.ts";

const ENDS_WELL: Script = () => ({ runMilliseconds: 0 });

interface TestCluster {
  readonly kubeconfig: string;
  readonly cluster: DevCluster;
  readonly client: KubeClient;
}

async function startCluster(script: Script = ENDS_WELL): Promise<TestCluster> {
  const cluster = await DevCluster.start({ tls: true, authorization: "rbac", script });
  onTestFinished(() => cluster.stop());
  const kubeconfig = scratchFolder().write("config", cluster.kubeconfig());
  const client = createKubeClient(await loadClusterAccess({ kubeconfigPath: kubeconfig }));
  onTestFinished(() => client.close());
  return { kubeconfig, cluster, client };
}

/** `kindling submit --check` of an application on this machine. */
function check(kubeconfig: string, keys: Readonly<Record<string, string>>, ...flags: string[]): Promise<Finished> {
  const folder = scratchFolder();
  folder.write("app.py", "print(1)");
  const image = { "spark.kubernetes.container.image": "spark:4.3.0", "spark.kindling.localizer.image": "localizer:1" };
  const args = ["submit", "--check", ...flags, ...conf({ ...image, ...keys }), "app.py"];
  return kindling(args, { env: { KUBECONFIG: kubeconfig }, cwd: folder.path });
}

test("all is well: it says so of each thing, and leaves nothing behind", async () => {
  const [server, { kubeconfig, client }] = await Promise.all([stagingServer(), startCluster()]);
  const { code, stdout, stderr } = await check(kubeconfig, { "spark.kindling.staging.uri": server.uri });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/^ok {4} the API server https:\S+: would take the driver pod and \d+ objects beside it$/),
    "ok     following the application: pods may be watched, and their logs read",
    expect.stringMatching(/^ok {4} the staging server \S+ from this machine: .* may upload for namespace default$/),
    expect.stringMatching(/^ok {4} the staging server \S+ from a pod: a pod fetched a file after [\d.]+ s$/),
  ]);
  const { items: pods } = await client.listAll(resources.pods, { namespace: "default" });
  const { items: secrets } = await client.listAll(resources.secrets, { namespace: "default" });
  const { items: configMaps } = await client.listAll(resources.configmaps, { namespace: "default" });
  expect(pods.filter(({ metadata }) => metadata?.deletionTimestamp === undefined)).toEqual([]);
  expect([...secrets, ...configMaps].map(({ metadata }) => metadata?.name)).toEqual(["kube-root-ca.crt"]);
});

test("the pod that asks the staging server is pulled with the application's Secrets", async () => {
  const used: unknown[] = [];
  const script: Script = ({ spec }) => {
    used.push(spec.imagePullSecrets);
    return { runMilliseconds: 0 };
  };
  const [server, { kubeconfig }] = await Promise.all([stagingServer(), startCluster(script)]);
  const keys = { "spark.kindling.staging.uri": server.uri, "spark.kubernetes.container.image.pullSecrets": "one,two" };
  const { code } = await check(kubeconfig, keys);
  expect([code, used.at(-1)]).toEqual([0, [{ name: "one" }, { name: "two" }]]);
});

test("a staging server that is not there fails on this side, and no pod is asked", async () => {
  const { kubeconfig } = await startCluster();
  const { code, stdout } = await check(kubeconfig, { "spark.kindling.staging.uri": "http://127.0.0.1:1" });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^FAILED the staging server http:\/\/127\.0\.0\.1:1 from this machine: /m);
  expect(stdout).not.toContain("from a pod");
});

test("a pod that cannot fetch fails on that side, with what its localizer said", async () => {
  const [server, { kubeconfig, client }] = await Promise.all([
    stagingServer(),
    startCluster(() => ({ runMilliseconds: undefined })),
  ]);
  const checking = check(kubeconfig, { "spark.kindling.staging.uri": server.uri });
  const message = JSON.stringify({ message: "the server http://staging is not there", hint: "set internalUri" });
  await expect
    .poll(async () => {
      const { items } = await client.listAll(resources.pods, { namespace: "default", labelSelector: "kindling-check" });
      return items[0]?.status?.phase;
    })
    .toBe("Running");
  const { items } = await client.listAll(resources.pods, { namespace: "default" });
  const [pod] = items;
  const terminated = { exitCode: 3, reason: "Error", message };
  await client.patch(
    resources.pods,
    pod?.metadata?.name ?? "",
    "merge",
    {
      status: {
        phase: "Failed",
        containerStatuses: [{ ...pod?.status?.containerStatuses?.[0], state: { terminated }, ready: false }],
      },
    },
    { namespace: "default", subresource: "status" },
  );
  const { code, stdout } = await checking;
  expect(code).toBe(1);
  expect(stdout).toContain(" from a pod: the server http://staging is not there\n       set internalUri\n");
});

test("an image of the localizer that cannot be pulled is named", async () => {
  const [server, { kubeconfig }] = await Promise.all([
    stagingServer(),
    startCluster(() => ({ pullError: "no such image: localizer:1" })),
  ]);
  const { code, stdout } = await check(kubeconfig, { "spark.kindling.staging.uri": server.uri });
  expect(code).toBe(1);
  expect(stdout).toMatch(/ from a pod: the probe's pod does not start: .*localizer:1/);
  expect(stdout).toContain("spark.kindling.localizer.image must name an image");
});

test("objects that the API server would refuse are refused, as data", async () => {
  const { kubeconfig } = await startCluster();
  const { code, stdout } = await check(
    kubeconfig,
    { "spark.kindling.staging.uri": "http://127.0.0.1:1", "spark.kubernetes.driver.label.bad": "no label!" },
    ...["-o", "json"],
  );
  expect(code).toBe(1);
  const [first] = JSON.parse(stdout);
  expect(first).toMatchObject({ ok: false, detail: expect.stringContaining("metadata.labels") });
});

test("what a user may not do is named", async () => {
  const { cluster, client } = await startCluster();
  await client.create(resources.serviceaccounts, {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: "submitter", namespace: "default" },
  });
  const apiVersion = "rbac.authorization.k8s.io/v1";
  const metadata = { name: "submitter", namespace: "default" };
  const role = {
    ...{ apiVersion, kind: "Role", metadata },
    rules: [
      { apiGroups: [""], resources: ["pods"], verbs: ["get", "create"] },
      { apiGroups: [""], resources: ["configmaps", "services", "secrets"], verbs: ["create", "get", "patch"] },
    ],
  };
  const binding = {
    ...{ apiVersion, kind: "RoleBinding", metadata },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "submitter" },
    subjects: [{ kind: "ServiceAccount", name: "submitter", namespace: "default" }],
  };
  for (const object of [role, binding]) {
    await client.create(await client.resourceFor(apiVersion, object.kind), object);
  }
  const token = cluster.serviceAccountToken("default", "submitter");
  const kubeconfig = scratchFolder().write(
    "config",
    cluster
      .kubeconfig()
      .replace(/^users:[^]*?^contexts:/m, `users:\n- name: kindling\n  user:\n    token: ${token}\ncontexts:`),
  );
  const { code, stdout } = await check(kubeconfig, { "spark.kindling.staging.uri": "http://127.0.0.1:1" });
  expect(code).toBe(1);
  expect(stdout).toContain(
    "FAILED following the application: you may not list pods, watch pods, get pods/log in namespace default",
  );
});
