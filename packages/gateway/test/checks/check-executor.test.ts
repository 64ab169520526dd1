import type { KubeObject } from "@kindling/kube-objects";
import { aPod } from "@kindling/test-kit/a-pod";
import { describe, expect, test } from "vitest";
import { refusedExecutor, refusedFurther } from "../../src/checks/check-executor.ts";
import { knownPod } from "../support/known-pod.ts";

type Spec = KubeObject["spec"];

function pod(role: string, spec: unknown, metadata: object = {}): KubeObject {
  const labels = { "spark-role": role, "spark-app-selector": "spark-1", "spark-exec-id": "1" };
  const known = knownPod(aPod(role).labels(labels));
  return { ...known, metadata: { ...known.metadata, ...metadata }, spec: spec as Spec };
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
  const volume = (source: object): object => ({ volumes: [{ name: "v", ...source }] });
  const container = (part: object): object => ({ containers: [{ name: "c", ...part }] });
  const context = (securityContext: object): object => container({ securityContext });
  const required = "requiredDuringSchedulingIgnoredDuringExecution";
  const onNode = [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["node-7"] }] }];

  test.each<[string, unknown]>([
    ["spec.hostNetwork", { hostNetwork: true }],
    ["spec.hostPID", { hostPID: true }],
    ["spec.hostIPC", { hostIPC: true }],
    ["spec.volumes[0].hostPath", volume({ hostPath: { path: "/data" } })],
    ["spec.containers[0].securityContext.privileged", context({ privileged: true })],
    [
      "spec.initContainers[0].securityContext.privileged",
      { initContainers: [{ name: "i", securityContext: { privileged: true } }] },
    ],
    ["spec.containers[0].securityContext.capabilities.add[0]", context({ capabilities: { add: ["NET_ADMIN"] } })],
    ["spec.containers[0].ports[0].hostPort", container({ ports: [{ containerPort: 1, hostPort: 1 }] })],
    ["spec.serviceAccountName (the service account admin)", { serviceAccountName: "admin" }],
    ["spec.serviceAccount (the service account admin)", { serviceAccount: "admin" }],
    ["spec.nodeName", { nodeName: "node-7" }],
    ["spec.nodeSelector.disk", { nodeSelector: { disk: "ssd" } }],
    ['spec.nodeSelector["kubernetes.io/hostname"]', { nodeSelector: { "kubernetes.io/hostname": "a" } }],
    ["spec.priorityClassName", { priorityClassName: "first" }],
    ["spec.tolerations[0]", tolerating({ key: "dedicated", value: "db", effect: "NoSchedule" })],
    ["spec.tolerations[0]", tolerating({ operator: "Exists" })],
    ["spec.volumes[0].secret.secretName (the Secret keys)", volume({ secret: { secretName: "keys" } })],
    [
      "spec.volumes[0].projected.sources[0].secret.name (the Secret keys)",
      volume({ projected: { sources: [{ secret: { name: "keys" } }] } }),
    ],
    ["spec.volumes[0].csi", volume({ csi: { driver: "d", nodePublishSecretRef: { name: "keys" } } })],
    ["spec.volumes[0].azureFile", volume({ azureFile: { secretName: "keys", shareName: "s" } })],
    [
      "spec.containers[0].env[0].valueFrom.secretKeyRef.name (the Secret keys)",
      env({ name: "A", valueFrom: { secretKeyRef: { name: "keys", key: "a" } } }),
    ],
    [
      "spec.initContainers[0].envFrom[0].secretRef.name (the Secret keys)",
      { initContainers: [{ name: "i", envFrom: [{ secretRef: { name: "keys" } }] }] },
    ],
    [
      "spec.containers[0].envFrom[0].configMapRef.name (the ConfigMap kindling)",
      container({ envFrom: [{ configMapRef: { name: "kindling" } }] }),
    ],
    [
      "spec.volumes[0].persistentVolumeClaim.claimName (the claim other-exec-1-pvc-0)",
      volume({ persistentVolumeClaim: { claimName: "other-exec-1-pvc-0" } }),
    ],
    ["spec.containers[0].securityContext.seccompProfile", context({ seccompProfile: { type: "Unconfined" } })],
    ["spec.securityContext.seccompProfile", { securityContext: { seccompProfile: { type: "Unconfined" } } }],
    ["spec.containers[0].securityContext.appArmorProfile", context({ appArmorProfile: { type: "Unconfined" } })],
    ["spec.securityContext.seLinuxOptions", { securityContext: { seLinuxOptions: { type: "spc_t" } } }],
    ["spec.containers[0].securityContext.procMount", context({ procMount: "Unmasked" })],
    ["spec.containers[0].securityContext.runAsUser (the user 0)", context({ runAsUser: 0 })],
    ["spec.securityContext.sysctls[0]", { securityContext: { sysctls: [{ name: "kernel.msgmax", value: "1" }] } }],
    [
      `spec.affinity.nodeAffinity.${required}`,
      { affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: onNode } } } },
    ],
    [
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0]",
      {
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: onNode[0] }],
          },
        },
      },
    ],
    [
      `spec.affinity.podAntiAffinity.${required}[0]`,
      { affinity: { podAntiAffinity: { [required]: [{ topologyKey: "zone", namespaceSelector: {} }] } } },
    ],
    ["spec.imagePullSecrets[0].name (the image pull secret registry)", { imagePullSecrets: [{ name: "registry" }] }],
    ["spec.volumes[0].nfs", volume({ nfs: { server: "nfs", path: "/" } })],
    ["spec.volumes[0].iscsi", volume({ iscsi: { targetPortal: "t", iqn: "i", lun: 0 } })],
    ["spec.volumes[0].flexVolume", volume({ flexVolume: { driver: "d" } })],
    ["spec.volumes[0].gitRepo", volume({ gitRepo: { repository: "r" } })],
    [
      "spec.volumes[0].csi",
      volume({ csi: { driver: "secrets-store.csi.k8s.io", volumeAttributes: { secretProviderClass: "other" } } }),
    ],
    [
      "spec.volumes[0].ephemeral.volumeClaimTemplate.spec.dataSource",
      volume({ ephemeral: { volumeClaimTemplate: { spec: { dataSource: { kind: "PersistentVolumeClaim" } } } } }),
    ],
    ["spec.resourceClaims[0]", { resourceClaims: [{ name: "gpu", resourceClaimName: "other" }] }],
    ["spec.containers[0].resources.claims[0]", container({ resources: { claims: [{ name: "gpu" }] } })],
    [
      "spec.volumes[0].projected.sources[0].podCertificate",
      volume({ projected: { sources: [{ podCertificate: { signerName: "s" } }] } }),
    ],
    [
      "spec.volumes[0].projected.sources[0].serviceAccountToken",
      volume({ projected: { sources: [{ serviceAccountToken: { audience: "vault", path: "t" } }] } }),
    ],
    [
      "spec.volumes[0].projected.sources[0].clusterTrustBundle",
      volume({ projected: { sources: [{ clusterTrustBundle: { signerName: "s" } }] } }),
    ],
    ["spec.runtimeClassName", { runtimeClassName: "privileged" }],
    ["spec.schedulerName", { schedulerName: "mine" }],
    ["spec.shareProcessNamespace", { shareProcessNamespace: true }],
    ["spec.ephemeralContainers[0]", { ephemeralContainers: [{ name: "e" }] }],
    ["spec.containers[0].livenessProbe.httpGet.host", container({ livenessProbe: { httpGet: { host: "127.0.0.1" } } })],
    [
      "spec.containers[0].volumeMounts[0].mountPropagation",
      container({ volumeMounts: [{ mountPropagation: "HostToContainer" }] }),
    ],
    ["spec.inventedLater", { inventedLater: false }],
    ["spec.containers[0].inventedLater", container({ inventedLater: {} })],
    ["spec.volumes[0].emptyDir.inventedLater", volume({ emptyDir: { inventedLater: "x" } })],
    ["spec.volumes", { volumes: {} }],
    ["spec.hostname", { hostname: { inventedLater: 1 } }],
  ])("%s, only if the driver has it, or its pod says so", (name, spec) => {
    expect(why(pod("executor", spec))).toContain(name);
    expect(why(pod("executor", spec), spec)).toBeUndefined();
    expect(why(pod("executor", spec), {}, { annotations: { [ALLOWANCE]: JSON.stringify(spec) } })).toBeUndefined();
  });

  test("a Secret however it is used, where the driver uses it in another way", () => {
    const mounted = volume({ secret: { secretName: "keys" } });
    const named = env({ name: "A", valueFrom: { secretKeyRef: { name: "keys", key: "a" } } });
    expect(why(pod("executor", mounted), named)).toBeUndefined();
    expect(why(pod("executor", named), mounted)).toBeUndefined();
  });

  test("no Secret that the driver's image alone is pulled with", () => {
    const pulls = { imagePullSecrets: [{ name: "keys" }] };
    expect(why(pod("executor", volume({ secret: { secretName: "keys" } })), pulls)).toContain("the Secret keys");
    expect(why(pod("executor", pulls), volume({ secret: { secretName: "keys" } }))).toBeUndefined();
  });

  test("a profile at the level alone at which the driver has it", () => {
    const securityContext = { seccompProfile: { type: "Unconfined" } };
    expect(why(pod("executor", context(securityContext)), { securityContext })).toContain("seccompProfile");
  });

  test("a message names so many fields and no more", () => {
    const nodeSelector = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`label-${index}`, "x"]));
    const message = why(pod("executor", { nodeSelector })) ?? "";
    expect(message).toContain('spec.nodeSelector["label-7"] and 492 more, and the driver\'s pod has not: give that to');
    expect(message.length).toBeLessThan(700);
  });

  test.each(["apparmor.security.beta", "seccomp.security.alpha"])(
    "no annotation of %s.kubernetes.io but one that the driver has, or that the allowance says",
    (kind) => {
      const annotations = { [`container.${kind}.kubernetes.io/spark-kubernetes-executor`]: "unconfined" };
      const executor = pod("executor", {}, { annotations });
      expect(why(executor)).toContain(
        `metadata.annotations["container.${kind}.kubernetes.io/spark-kubernetes-executor"]`,
      );
      const ofDriver = { [`container.${kind}.kubernetes.io/spark-kubernetes-driver`]: "unconfined" };
      expect(why(executor, {}, { annotations: ofDriver })).toBeUndefined();
      const allowance = JSON.stringify({ metadata: { annotations } });
      expect(why(executor, {}, { annotations: { [ALLOWANCE]: allowance } })).toBeUndefined();
    },
  );

  describe("of a volume that others use", () => {
    const mounting = (source: object, mount: object): object => ({
      ...volume(source),
      containers: [{ name: "c", volumeMounts: [{ name: "v", mountPath: "/data", ...mount }] }],
    });
    const hostPath = { hostPath: { path: "/data" } };

    test.each([hostPath, { nfs: { server: "s", path: "/" } }, { persistentVolumeClaim: { claimName: "shared" } }])(
      "reading, where the driver reads %j",
      (source) => {
        const reader = mounting(source, { readOnly: true });
        const writer = mounting(source, {});
        expect(why(pod("executor", writer), reader)).toContain(
          "spec.containers[0].volumeMounts[0] (writing to the volume)",
        );
        expect(why(pod("executor", reader), writer)).toBeUndefined();
        expect(why(pod("executor", writer), writer)).toBeUndefined();
        const readerAllowed = { annotations: { [ALLOWANCE]: JSON.stringify(reader) } };
        expect(why(pod("executor", writer), {}, readerAllowed)).toContain("writing to the volume");
        const allowed = { annotations: { [ALLOWANCE]: JSON.stringify(volume(source)) } };
        expect(why(pod("executor", writer), {}, allowed)).toBeUndefined();
      },
    );

    test("the folders that the driver has of it", () => {
      const whole = mounting(hostPath, {});
      const folder = mounting(hostPath, { subPath: "a" });
      const inner = mounting(hostPath, { subPath: "a/b" });
      expect(why(pod("executor", inner), folder)).toBeUndefined();
      expect(why(pod("executor", folder), inner)).toContain("writing to the volume");
      expect(why(pod("executor", whole), folder)).toContain("writing to the volume");
    });

    test("in the words of an API server, which writes down its defaults", () => {
      const ofCluster = volume({ hostPath: { path: "/data", type: "" } });
      expect(why(pod("executor", volume(hostPath)), ofCluster)).toBeUndefined();
    });

    test("in no other place", () => {
      expect(why(pod("executor", volume({ hostPath: { path: "/" } })), volume(hostPath))).toContain("hostPath");
    });
  });

  test.each(["", "{", "[]", "null", '"x"', '{"volumes":1}', '{"nodeSelector":"disk"}'])(
    "what is no part of a pod allows nothing: %s",
    (text) => {
      const executor = pod("executor", { priorityClassName: "first" });
      expect(why(executor, {}, { annotations: { [ALLOWANCE]: text } })).toContain("it has spec.priorityClassName,");
    },
  );

  test.each<[string, unknown]>([
    ["nothing", undefined],
    [
      "volumes of its own",
      {
        volumes: [
          { name: "a", emptyDir: { medium: "Memory" } },
          { name: "b", configMap: {} },
        ],
      },
    ],
    ["fewer capabilities", context({ capabilities: { drop: ["ALL"] }, privileged: false })],
    ["the account that pods have by default", { serviceAccountName: "default" }],
    ["a variable that is called like a Secret", env({ name: "SECRET_NAME", value: "x" })],
    ["a volume that is called like a Secret", { volumes: [{ name: "secret", emptyDir: {} }] }],
    ["devices, which are counted", container({ resources: { limits: { "nvidia.com/gpu": "1" } } })],
    ["a claim that Spark makes for it", volume({ persistentVolumeClaim: { claimName: "etl-exec-1-pvc-0" } })],
    ["a claim of a former executor", volume({ persistentVolumeClaim: { claimName: "etl-exec-7-pvc-1" } })],
    ["its driver's ConfigMap for executors", volume({ configMap: { name: "spark-exec-0a1b-conf-map" } })],
    ["the runtime's own profile", context({ seccompProfile: { type: "RuntimeDefault" } })],
    [
      "a spread",
      { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" }] },
    ],
    ["names of its own", { hostname: "etl-exec-1", subdomain: "etl", hostAliases: [{ ip: "::1", hostnames: ["a"] }] }],
  ])("%s is allowed", (_, spec) => {
    expect(why(pod("executor", spec, { name: "etl-exec-1" }))).toBeUndefined();
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
    /its owner can only be the driver's pod/,
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
