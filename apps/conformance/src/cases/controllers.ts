import type { Answer } from "@kindling/test-kit/api-client";
import { at, type CaseContext, itemsOf } from "@kindling/test-kit/case-context";
import type { JsonObject } from "@kindling/test-kit/json";
import { expectMatch } from "@kindling/test-kit/matches";
import { expectRefusal, expectSuccess } from "@kindling/test-kit/refusal";
import { type ConformanceCase, inNamespace } from "../conformance-case.ts";
import { idlePod } from "./objects.ts";
import { start, untilPhase } from "./running-pod.ts";

async function quota(t: CaseContext, hard: JsonObject): Promise<void> {
  await t.create(t.path("resourcequotas"), { metadata: { name: "quota" }, spec: { hard } });
  await untilCounted(t, Object.keys(hard));
}

async function untilCounted(t: CaseContext, resources: readonly string[]): Promise<void> {
  await t.until(
    async () => await t.client.get(t.path("resourcequotas", "quota")),
    ({ body }) => {
      const counted = at(body, "status.hard") as JsonObject | undefined;
      return resources.every((resource) => counted?.[resource] !== undefined);
    },
    "the quota to be counted",
  );
}

/**
 * The answer for one object too many. It is asked for as a dry run until it is refused: the controller that counts may see
 * the quota before it sees the new object, and then its place is free again. A real controller counts again only when an
 * object is deleted, when the quota's limits change, or after some minutes; so a limit that no case reaches is added.
 */
async function oneTooMany(t: CaseContext, collection: string, body: JsonObject): Promise<Answer> {
  let asked = 0;
  return await t.until(
    async () => {
      const answer = await t.client.post(`${collection}?dryRun=All`, body);
      if (answer.status !== 403) await countAgain(t, `count/resource${++asked}.example.com`);
      return answer;
    },
    ({ status }) => status === 403,
    "the quota to be used up",
  );
}

async function countAgain(t: CaseContext, added: string): Promise<void> {
  const spec = { hard: { [added]: "1" } };
  expectSuccess(await t.client.patch(t.path("resourcequotas", "quota"), "merge", { spec }), 200);
  await untilCounted(t, [added]);
}

function container(resources: JsonObject): JsonObject {
  return { containers: [{ name: "a", image: "b", resources }] };
}

export const quotaCases: readonly ConformanceCase[] = inNamespace("resource quota", {
  "limits the number of objects": async (t) => {
    await quota(t, { pods: "1" });
    await t.create(t.path("pods"), idlePod("a"));
    expectRefusal(await oneTooMany(t, t.path("pods"), idlePod("b")), {
      code: 403,
      reason: "Forbidden",
      message: 'pods "b" is forbidden: exceeded quota: quota, requested: pods=1, used: pods=1, limited: pods=1',
    });
  },
  "counts any resource": async (t) => {
    await quota(t, { "count/secrets": "1" });
    await t.create(t.path("secrets"), { metadata: { name: "a" } });
    expectRefusal(await oneTooMany(t, t.path("secrets"), { metadata: { name: "b" } }), {
      code: 403,
      message: /exceeded quota: quota, requested: count\/secrets=1, used: count\/secrets=1, limited: count\/secrets=1/,
    });
  },
  "limits what pods may ask for": async (t) => {
    await quota(t, { "requests.memory": "1Gi", "limits.cpu": "1" });
    const over = idlePod("a", container({ limits: { cpu: "2", memory: "2Gi" } }));
    expectRefusal(await t.client.post(t.path("pods"), over), {
      code: 403,
      message:
        'pods "a" is forbidden: exceeded quota: quota, requested: limits.cpu=2,requests.memory=2Gi, used: limits.cpu=0,requests.memory=0, limited: limits.cpu=1,requests.memory=1Gi',
    });
  },
  "makes pods say what they ask for": async (t) => {
    await quota(t, { "limits.cpu": "1", "requests.memory": "1Gi" });
    expectRefusal(await t.client.post(t.path("pods"), idlePod("a")), {
      code: 403,
      message:
        'pods "a" is forbidden: failed quota: quota: must specify limits.cpu for: main; requests.memory for: main',
    });
  },
  "tells what is used": async (t) => {
    await quota(t, { pods: "3", "requests.cpu": "2" });
    await t.create(t.path("pods"), idlePod("a", container({ requests: { cpu: "500m" } })));
    await oneTooMany(t, t.path("pods"), idlePod("b", container({ requests: { cpu: "1600m" } })));
    const counted = await t.client.get(t.path("resourcequotas", "quota"));
    expectMatch(counted.body["status"], {
      hard: { pods: "3", "requests.cpu": "2" },
      used: { pods: "1", "requests.cpu": "500m" },
    });
  },
  "is free again when objects go": async (t) => {
    await quota(t, { secrets: "1" });
    await t.create(t.path("secrets"), { metadata: { name: "a" } });
    expectRefusal(await oneTooMany(t, t.path("secrets"), { metadata: { name: "b" } }), { code: 403 });
    await t.client.delete(t.path("secrets", "a"));
    await t.until(
      async () => await t.client.post(t.path("secrets"), { metadata: { name: "b" } }),
      ({ status }) => status === 201,
      "room for another one",
    );
  },
});

export const endpointCases: readonly ConformanceCase[] = inNamespace("endpoints", {
  "follow the ready pods of a service": async (t) => {
    await t.create(t.path("services"), {
      metadata: { name: "one" },
      spec: { selector: { app: "x" }, ports: [{ name: "http", port: 80, targetPort: 8080 }] },
    });
    await start(t, "x");
    const pod = await untilPhase(t, "x", "Running");
    const ip = String(at(pod, "status.podIP"));
    const slices = await t.until(
      async () =>
        await t.client.get(
          `${t.groupPath("discovery.k8s.io/v1", "endpointslices")}?labelSelector=kubernetes.io/service-name%3Done`,
        ),
      ({ body }) => at(body, "items.0.endpoints.0") !== undefined,
      "the slice",
    );
    expectMatch(at(slices.body, "items.0"), {
      addressType: "IPv4",
      endpoints: [{ addresses: [ip], conditions: { ready: true }, targetRef: { name: "x" } }],
      ports: [{ name: "http", port: 8080, protocol: "TCP" }],
    });
  },
  "go with their service": async (t) => {
    await t.create(t.path("services"), {
      metadata: { name: "one" },
      spec: { selector: { app: "x" }, ports: [{ port: 80 }] },
    });
    const slices = `${t.groupPath("discovery.k8s.io/v1", "endpointslices")}?labelSelector=kubernetes.io/service-name%3Done`;
    const ask = async (): Promise<Answer> => await t.client.get(slices);
    await t.until(ask, (answer) => itemsOf(answer).length === 1, "the slice");
    await t.client.delete(t.path("services", "one"));
    await t.until(ask, (answer) => itemsOf(answer).length === 0, "the end of the slice");
  },
});

function workload(replicas: number): JsonObject {
  const labels = { app: "x" };
  const spec = { schedulerName: "none", containers: [{ name: "a", image: "b" }] };
  return {
    metadata: { name: "one" },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

export const workloadCases: readonly ConformanceCase[] = inNamespace("workload", {
  "deployments make replica sets, which make pods": async (t) => {
    const deployments = t.groupPath("apps/v1", "deployments");
    const made = await t.create(deployments, workload(2));
    expectMatch(made["spec"], {
      strategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
    });
    const pods = await t.until(
      async () => await t.client.get(t.path("pods")),
      ({ body }) => (body["items"] as unknown[]).length === 2,
      "two pods",
    );
    expectMatch(at(pods.body, "items.0.metadata"), {
      generateName: /^one-[a-z0-9]+-$/,
      labels: { app: "x", "pod-template-hash": /./ },
      ownerReferences: [{ kind: "ReplicaSet", controller: true, blockOwnerDeletion: true }],
    });
    const sets = await t.client.get(t.groupPath("apps/v1", "replicasets"));
    expectMatch(sets.body["items"], [
      { metadata: { ownerReferences: [{ kind: "Deployment", name: "one" }] }, spec: { replicas: 2 } },
    ]);
  },
  "a deployment that goes back to a template has its replica set again": async (t) => {
    const deployments = t.groupPath("apps/v1", "deployments");
    const patch = async (annotations: JsonObject): Promise<void> => {
      const spec = { template: { metadata: { annotations } } };
      expectSuccess(await t.client.patch(`${deployments}/one`, "merge", { spec }), 200);
      await t.until(
        async () => await t.client.get(`${deployments}/one`),
        ({ body }) => at(body, "status.observedGeneration") === at(body, "metadata.generation"),
        "the controller to have seen it",
      );
    };
    const sets = async (): Promise<number> => itemsOf(await t.client.get(t.groupPath("apps/v1", "replicasets"))).length;
    await t.create(deployments, workload(1));
    await patch({ a: "1", b: "2" });
    await patch({ a: null });
    const before = await sets();
    // The order of the two is different now.
    await patch({ a: "1" });
    expectMatch(await sets(), before);
  },
  "replica sets follow their number": async (t) => {
    const sets = t.groupPath("apps/v1", "replicasets");
    await t.create(sets, workload(1));
    const count = async (wanted: number): Promise<void> => {
      await t.until(
        async () => await t.client.get(t.path("pods")),
        ({ body }) => (body["items"] as unknown[]).length === wanted,
        `${wanted} pods`,
      );
    };
    await count(1);
    expectSuccess(await t.client.patch(`${sets}/one`, "merge", { spec: { replicas: 3 } }), 200);
    await count(3);
    await t.client.patch(`${sets}/one`, "merge", { spec: { replicas: 0 } });
    await count(0);
  },
  "stateful sets name their pods by number": async (t) => {
    const object = workload(2);
    await t.create(t.groupPath("apps/v1", "statefulsets"), {
      ...object,
      spec: { ...(object["spec"] as JsonObject), serviceName: "one", podManagementPolicy: "Parallel" },
    });
    await t.until(
      async () => await t.client.get(t.path("pods", "one-1")),
      ({ status }) => status === 200,
      "the second pod",
    );
    const first = await t.client.get(t.path("pods", "one-0"));
    expectMatch(first.body, {
      metadata: { labels: { "statefulset.kubernetes.io/pod-name": "one-0", "apps.kubernetes.io/pod-index": "0" } },
      spec: { hostname: "one-0", subdomain: "one" },
    });
  },
  "stateful sets name their pods whatever the template says": async (t) => {
    const { spec, ...object } = workload(1);
    const { template, ...rest } = spec as { readonly template: { readonly spec: JsonObject } };
    const named = { ...template, spec: { ...template.spec, hostname: "NOT-A-NAME" } };
    await t.create(t.groupPath("apps/v1", "statefulsets"), { ...object, spec: { ...rest, template: named } });
    const pod = await t.until(
      async () => await t.client.get(t.path("pods", "one-0")),
      ({ status }) => status === 200,
      "the pod",
    );
    expectMatch(pod.body, { spec: { hostname: "one-0" } });
    const deployments = t.groupPath("apps/v1", "deployments");
    expectRefusal(await t.client.post(deployments, { ...object, spec: { ...rest, template: named } }), {
      code: 422,
      message: /spec\.template\.spec\.hostname: Invalid value: "NOT-A-NAME"/,
    });
  },
});
