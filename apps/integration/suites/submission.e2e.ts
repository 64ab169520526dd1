import { type KubeObjectLike, isNotFound, resources } from "@kindling/kube";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { APP_DIR, prepareApplications, WORD_COUNTS, type Fixtures } from "../clusters/applications.ts";
import { Kindling, kindling, submissionIdIn } from "../clusters/kindling.ts";
import { eventually, LEVEL_FLAGS, SPARK_VERSIONS, TestNamespace } from "../clusters/test-cluster.ts";

const [VERSION = ""] = SPARK_VERSIONS.slice(-1);

describe("submissions", () => {
  let namespace: TestNamespace;
  let fixtures: Fixtures;

  beforeAll(async () => {
    namespace = await TestNamespace.create("submission");
    fixtures = await prepareApplications(namespace, VERSION);
  });
  afterAll(async () => {
    fixtures.remove();
    await namespace.remove();
  });

  const flags = (...more: readonly string[]): string[] => ["submit", ...fixtures.flags, ...more];
  const noWait = ["--conf", "spark.kubernetes.submission.waitAppCompletion=false"];
  const drivers = async (): Promise<string[]> => {
    const { items } = await namespace.client.listAll(resources.pods, { labelSelector: "spark-role=driver" });
    return items.map(({ metadata }) => metadata?.name ?? "");
  };

  test("the same submission id, many times at once, gives one application", async () => {
    const args = flags(...noWait, "--submission-id", "nightly 2026-11-21", `local://${APP_DIR}/sleep.py`);
    const ended = await Promise.all([1, 2, 3, 4].map(() => kindling(args)));
    expect(ended.filter(({ exit }) => exit !== 0)).toEqual([]);
    expect(new Set(ended.map(({ err }) => submissionIdIn(err))).size).toBe(1);
    expect(ended.filter(({ err }) => err.includes("existed already"))).toHaveLength(3);
    const found = await drivers();
    expect(found).toHaveLength(1);
    await namespace.deleteApplication(found[0] ?? "");
  });

  test("a submission that died behind the pod's creation is completed by the next with its id", async () => {
    const args = flags(...LEVEL_FLAGS, ...noWait, "--submission-id", "half", `local://${APP_DIR}/sleep.py`);
    const dry = await kindling([...args.slice(0, 1), "--dry-run", "-o", "json", ...args.slice(1)]);
    const { items } = JSON.parse(dry.out) as { items: KubeObjectLike[] };
    const pod = items.find(({ kind }) => kind === "Pod");
    await namespace.client.create(resources.pods, pod ?? {});

    const ended = await kindling(args);
    expect(ended.err).toContain("existed already");
    await eventually("a running driver, which needs its ConfigMap", async () => {
      const { status } = await namespace.client.get(resources.pods, pod?.metadata?.name ?? "");
      return status?.phase === "Running";
    });
    await namespace.deleteApplication(pod?.metadata?.name ?? "");
  });

  test("the output of a dry run, applied as it is, runs the application", async () => {
    const dry = await kindling(
      flags(...LEVEL_FLAGS, "--dry-run", "-o", "yaml", `local://${APP_DIR}/word-count.py`, `${APP_DIR}/text.txt`, "1"),
    );
    expect(dry.exit, dry.err).toBe(0);
    const objects = await namespace.apply(dry.out);
    const name = objects.find(({ kind }) => kind === "Pod")?.metadata?.name ?? "";
    await eventually(
      "the application's success",
      async () => (await namespace.client.get(resources.pods, name)).status?.phase === "Succeeded",
    );
    const logs = await kindling(["logs", `${namespace.name}:${name}`]);
    expect(logs.out.split("\n").filter((line) => line.startsWith("COUNT "))).toEqual(WORD_COUNTS);
    await namespace.delete(objects);
  });

  test("an interrupt leaves the application alone and says how to go on", async () => {
    const following = new Kindling(flags("--name", "interrupted", `local://${APP_DIR}/sleep.py`));
    await eventually("the submission", () => Promise.resolve(following.err.includes("submission ID")));
    const id = submissionIdIn(following.err);
    following.child.kill("SIGINT");
    const ended = await following.ended;
    expect(ended.exit).toBe(130);
    expect(ended.err).toContain(`kindling logs -f ${id}`);
    expect(ended.err).toContain(`kindling kill ${id}`);
    await expect(namespace.client.get(resources.pods, id.split(":")[1] ?? "")).resolves.toBeDefined();
    await kindling(["kill", "--grace-period", "0", id]);
  });

  test("what the API server refuses leaves nothing behind", async () => {
    const before = await namespace.leftovers();
    const refused = [
      { args: ["--conf", "spark.kubernetes.driver.label.team=not a label"], said: /a valid label must/ },
      { args: ["--conf", "spark.kubernetes.driver.pod.name=Not_A_Name"], said: /lower ?case/i },
      // The pod is accepted but the Service is not, so the pod must be deleted again.
      { args: ["--conf", "spark.kubernetes.driver.service.label.team=not a label"], said: /a valid label must/ },
      {
        args: ["--conf", "spark.kubernetes.namespace=no-such-namespace"],
        said: /namespaces "no-such-namespace" not found/,
      },
    ];
    for (const { args, said } of refused) {
      const ended = await kindling(flags(...args, `local://${APP_DIR}/sleep.py`));
      expect(ended.exit).toBe(1);
      expect(ended.err).toMatch(said);
      expect(ended.err).not.toMatch(/^\s+at /m);
    }
    // Some of the objects from before may be in deletion.
    await eventually("no more than there was before", async () => {
      const after = await namespace.leftovers();
      return after.every((name) => before.includes(name));
    });
  });

  test("an account without rights is told what to grant, and leaves nothing behind", async () => {
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "nobody" } };
    await namespace.client.create(resources.serviceaccounts, account);
    const ofNobody = await namespace.tokenOf("nobody");
    const token = ["--conf", `spark.kubernetes.authenticate.submission.oauthToken=${ofNobody}`];
    // A kubeconfig's client certificate would win over a token, so this connects without one.
    const { server, tls } = namespace.client.access;
    const { writeFileSync } = await import("node:fs");
    writeFileSync(`${fixtures.folder}/ca.crt`, tls.ca ?? "");
    const reach = [
      "--master",
      `k8s://${server}`,
      "--conf",
      `spark.kubernetes.authenticate.submission.caCertFile=${fixtures.folder}/ca.crt`,
    ];

    const ended = await kindling(flags(...reach, ...token, "--verbose", `local://${APP_DIR}/sleep.py`), {
      KUBECONFIG: "/dev/null",
    });
    expect(ended.exit).toBe(1);
    expect(ended.err).toMatch(/cannot create resource "pods"/);
    const [, hint = ""] = /kindling (rbac .*) \| kubectl apply -f -$/m.exec(ended.err) ?? [];
    expect(ended.err + ended.out).not.toContain(ofNobody);

    // With rights only for pods, the pod is created and deleted again.
    await namespace.grant("nobody", [{ apiGroups: [""], resources: ["pods"], verbs: ["create", "get", "delete"] }]);
    const half = await kindling(
      flags(...LEVEL_FLAGS, ...reach, ...token, "--name", "half-way", `local://${APP_DIR}/sleep.py`),
      { KUBECONFIG: "/dev/null" },
    );
    expect(half.exit).toBe(1);
    expect(half.err).toMatch(/cannot patch resource "(services|configmaps|networkpolicies)"/);
    await eventually("no pod", async () => (await drivers()).every((name) => !name.startsWith("half-way")));

    // The hint names everything that is needed, and does no harm if it is repeated.
    const granted = await kindling([...hint.split(" "), "-o", "yaml"]);
    for (let times = 1; times <= 2; times++) await namespace.apply(granted.out);
    const whole = await kindling(
      flags(...reach, ...token, ...noWait, "--name", "granted", `local://${APP_DIR}/sleep.py`),
      {
        KUBECONFIG: "/dev/null",
      },
    );
    expect(whole.exit, whole.err).toBe(0);
    await namespace.deleteApplication(submissionIdIn(whole.err).split(":")[1] ?? "");
  });

  test("spark-submit's own --kill and --status say what they say, and succeed where there is nothing", async () => {
    const status = await kindling(["submit", "--status", `${namespace.name}:nothing`]);
    expect(status).toMatchObject({ exit: 0 });
    expect(status.err).toContain("Application not found.");
    const kill = await kindling(["submit", "--kill", `${namespace.name}:nothing*`]);
    expect(kill).toMatchObject({ exit: 0 });
    expect(kill.err).toContain("No applications found.");
    const own = await kindling(["kill", `${namespace.name}:nothing`]);
    expect(own).toMatchObject({ exit: 1 });
    await expect(namespace.client.get(resources.pods, "nothing")).rejects.toSatisfy(isNotFound);
  });
});
