import type { KubeObject } from "@kindling/api-server";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusedExecutor, refusedFurther } from "../../src/pods/check-executor.ts";

type Spec = KubeObject["spec"];

function pod(role: string, spec: unknown, metadata: object = {}): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: role,
      uid: `uid-of-${role}`,
      resourceVersion: "1",
      creationTimestamp: "2026-01-01T00:00:00Z",
      labels: { "spark-role": role, "spark-app-selector": "spark-1", "spark-exec-id": "1" },
      ...metadata,
    },
    spec: spec as Spec,
  };
}

interface Given {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly images?: readonly string[];
}

function why(executor: KubeObject, driverSpec: unknown = {}, given: Given = {}): string | undefined {
  const { annotations = {}, images = [] } = given;
  const asking = { id: "spark-1", driver: pod("driver", driverSpec, { annotations }) };
  return refusedExecutor(executor, asking, { images })?.message;
}

const ALLOWANCE = "scheduler.kindling/executor-allowance";

function tolerating(toleration: object): object {
  return { tolerations: [toleration] };
}

function env(variable: object): object {
  return { containers: [{ name: "c", env: [variable] }] };
}

describe("what an executor may have", () => {
  const hostPath = { volumes: [{ name: "v", hostPath: { path: "/data" } }] };
  const container = (securityContext: object): object => ({ containers: [{ name: "c", securityContext }] });
  test.each<[string, unknown]>([
    ["hostNetwork", { hostNetwork: true }],
    ["hostPID", { hostPID: true }],
    ["hostIPC", { hostIPC: true }],
    ["a hostPath volume of /data", hostPath],
    ["a privileged container", container({ privileged: true })],
    ["a privileged container", { initContainers: [{ name: "i", securityContext: { privileged: true } }] }],
    ["the capability NET_ADMIN", container({ capabilities: { add: ["NET_ADMIN"] } })],
    ["a hostPort", { containers: [{ name: "c", ports: [{ containerPort: 1, hostPort: 1 }] }] }],
    ["service account admin", { serviceAccountName: "admin" }],
    ["service account admin", { serviceAccount: "admin" }],
    ["the node name node-7", { nodeName: "node-7" }],
    ["the node selector disk=ssd", { nodeSelector: { disk: "ssd" } }],
    ["the priority class first", { priorityClassName: "first" }],
    ["the toleration of dedicated=db:NoSchedule", tolerating({ key: "dedicated", value: "db", effect: "NoSchedule" })],
    ["the toleration of every taint", tolerating({ operator: "Exists" })],
    ["the Secret keys", { volumes: [{ name: "v", secret: { secretName: "keys" } }] }],
    ["the Secret keys", { volumes: [{ name: "v", projected: { sources: [{ secret: { name: "keys" } }] } }] }],
    ["the Secret keys", { volumes: [{ name: "v", csi: { driver: "d", nodePublishSecretRef: { name: "keys" } } }] }],
    ["the Secret keys", { volumes: [{ name: "v", azureFile: { secretName: "keys", shareName: "s" } }] }],
    ["the Secret keys", env({ name: "A", valueFrom: { secretKeyRef: { name: "keys", key: "a" } } })],
    ["the Secret keys", { initContainers: [{ name: "i", envFrom: [{ secretRef: { name: "keys" } }] }] }],
  ])("%s, only if the driver has it, or its pod says so", (name, spec) => {
    expect(why(pod("executor", spec))).toContain(`it has ${name}, and the driver's pod has not`);
    expect(why(pod("executor", spec), spec)).toBeUndefined();
    expect(why(pod("executor", spec), {}, { annotations: { [ALLOWANCE]: JSON.stringify(spec) } })).toBeUndefined();
  });

  test("a Secret however it is used, where the driver uses it in another way", () => {
    const mounted = { volumes: [{ name: "v", secret: { secretName: "keys" } }] };
    const named = env({ name: "A", valueFrom: { secretKeyRef: { name: "keys", key: "a" } } });
    expect(why(pod("executor", mounted), named)).toBeUndefined();
    expect(why(pod("executor", named), mounted)).toBeUndefined();
  });

  test.each(["", "{", "[]", "null", '"x"', '{"volumes":1}', '{"nodeSelector":"disk"}'])(
    "what is no part of a pod allows nothing: %s",
    (text) => {
      const executor = pod("executor", { priorityClassName: "first" });
      expect(why(executor, {}, { annotations: { [ALLOWANCE]: text } })).toContain("it has the priority class first,");
    },
  );

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["a spec that is none", "x"],
    ["containers that are none", { containers: "x", initContainers: [null, 1], volumes: {} }],
    [
      "the driver's own kinds of volumes",
      {
        volumes: [
          { name: "a", emptyDir: {} },
          { name: "b", configMap: {} },
        ],
      },
    ],
    ["fewer capabilities", container({ capabilities: { drop: ["ALL"] }, privileged: false })],
    ["the account that pods have by default", { serviceAccountName: "default" }],
    ["a variable that is called like a Secret", env({ name: "SECRET_NAME", value: "x" })],
    ["a volume that is called like a Secret", { volumes: [{ name: "secret", emptyDir: {} }] }],
  ])("%s is allowed", (_, spec) => {
    expect(why(pod("executor", spec))).toBeUndefined();
  });

  test("another host path than the driver's is another thing", () => {
    const other = { volumes: [{ name: "v", hostPath: { path: "/" } }] };
    expect(why(pod("executor", other), hostPath)).toContain("a hostPath volume of /,");
  });
});

test.each<[RegExp, object]>([
  [
    /its label spark-app-selector must be that of the driver's own application, spark-1/,
    { labels: { "spark-role": "executor" } },
  ],
  [/its label spark-role must be executor/, { labels: { "spark-app-selector": "spark-1", "spark-role": "driver" } }],
  [/it has no label spark-exec-id/, { labels: { "spark-app-selector": "spark-1", "spark-role": "executor" } }],
  [
    /its owner can be nothing but the driver's pod/,
    { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "x", uid: "x" }] },
  ],
])("refuses what says that %s", (message, metadata) => {
  expect(why(pod("executor", {}, metadata))).toMatch(message);
});

test("an application has so many executors and no more", () => {
  const asking = { id: "spark-1", driver: pod("driver", {}) };
  const limits = { most: 10, images: [] };
  expect(refusedFurther(pod("executor", {}), { ...asking, executors: 9 }, limits)).toBeUndefined();
  expect(refusedFurther(pod("executor", {}), { ...asking, executors: 10 }, limits)?.message).toBe(
    'pods "executor" is forbidden: at most 10 executor pods are allowed for one application',
  );
});

describe("with a list of images", () => {
  const images = ["apache/spark:4.3.0", "registry.example.com/spark/*"];
  const running = (...names: readonly string[]): object => ({
    containers: names.map((image) => ({ name: "c", image })),
  });

  test.each([["apache/spark:4.3.0"], ["registry.example.com/spark/etl:1"]])("%s is allowed", (image) => {
    expect(why(pod("executor", running(image)), {}, { images })).toBeUndefined();
  });

  test.each([["apache/spark:4.3.0-evil"], ["registry.example.com/spark"], ["docker.io/apache/spark:4.3.0"], ["*"]])(
    "%s is not, unless the driver runs it",
    (image) => {
      const executor = pod("executor", running("apache/spark:4.3.0", image));
      expect(why(executor, {}, { images })).toContain(`its image ${image} is not among those that the gateway allows`);
      expect(why(executor, running(image), { images })).toBeUndefined();
      expect(why(executor)).toBeUndefined();
    },
  );

  test("init containers and image volumes count", () => {
    const others = [
      { initContainers: [{ name: "i", image: "other" }] },
      { volumes: [{ name: "v", image: { reference: "other" } }] },
    ];
    for (const spec of others) expect(why(pod("executor", spec), {}, { images })).toContain("its image other is not");
  });
});

test("a Secret is found wherever in a volume it is named", () => {
  const place = fc.array(fc.constantFrom("volume", "csi", "sources", "options"), { maxLength: 4 });
  const naming = fc.constantFrom(
    (name: string) => ({ secretName: name }),
    (name: string) => ({ secretRef: { name } }),
    (name: string) => ({ secret: { name } }),
    (name: string) => ({ secret: { secretName: name } }),
    (name: string) => ({ nodeStageSecretRef: { name } }),
  );
  fc.assert(
    fc.property(place, naming, (path, named) => {
      const volume = path.reduceRight<object>((inner, field) => ({ [field]: [inner, 1, null] }), named("keys"));
      expect(why(pod("executor", { volumes: [{ name: "v", ...volume }] }))).toContain("it has the Secret keys,");
    }),
  );
});
