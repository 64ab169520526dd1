import { driverPodWith, executorPodWith, type PodOptions } from "@kindling/steps/testing";
import { describe, expect, test } from "vitest";
import { allowanceParts, executorPolicy, parseAllowance, type PodParts } from "../../src/index.ts";

const ANNOTATION = "scheduler.kindling/executor-allowance";
const TEMPLATE = "spark.kubernetes.executor.podTemplateFile";

interface Asked {
  readonly conf?: Readonly<Record<string, string>>;
  /** The executors' template. */
  readonly template?: object;
}

/** What the gateway finds wrong with the first executor of a submission: with the submission's allowance, and without it. */
function judged({ conf = {}, template }: Asked): { readonly excess: string[]; readonly unasked: string[] } {
  const files = template === undefined ? {} : { "/etc/executor.yaml": JSON.stringify(template) };
  const named = template === undefined ? conf : { ...conf, [TEMPLATE]: "/etc/executor.yaml" };
  const options: PodOptions = { conf: named, files, executorsBy: "gateway" };
  const driver = driverPodWith([], options).pod;
  const made = executorPodWith([], { ...options, ...(template !== undefined && { template }) }).pod;
  const allowance = parseAllowance(driver.metadata?.annotations?.[ANNOTATION] ?? "{}") ?? {};
  // Its configuration is in a ConfigMap; the driver generates the name.
  const volumesOfPod = (made.spec?.volumes ?? []).map((volume) =>
    volume.name === "spark-conf-volume-exec" ? { ...volume, configMap: { name: "spark-exec-0a1b-conf-map" } } : volume,
  );
  const spec = { ...made.spec, volumes: volumesOfPod };
  const executor = { name: made.metadata?.name, annotations: made.metadata?.annotations, spec };
  const parts = partsOf(driver);
  return {
    excess: executorPolicy({ driver: parts, allowance: allowanceParts(allowance) }).excessOf(executor),
    unasked: executorPolicy({ driver: parts, allowance: {} }).excessOf(executor),
  };
}

function partsOf({ metadata, spec }: ReturnType<typeof driverPodWith>["pod"]): PodParts {
  return { annotations: metadata?.annotations, spec };
}

function volumes(role: string, kind: string, name: string, entries: Record<string, string>): Record<string, string> {
  const prefix = `spark.kubernetes.${role}.volumes.${kind}.${name}`;
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [`${prefix}.${key}`, value]));
}

const DISK = "/mnt/k8s-disks/0";
const LOCAL_DISK = { "mount.path": "/data1", "options.path": DISK, "options.type": "Directory" };
const EXECUTOR = "spark-kubernetes-executor";

const TEMPLATES: Readonly<Record<string, object>> = {
  "local disks of a pool of nodes, with an init container that gives them to Spark's user": {
    metadata: { name: "exec", namespace: "team-a" },
    spec: {
      volumes: [{ name: "spark-local-dir-1", hostPath: { path: DISK, type: "Directory" } }],
      nodeSelector: { NodeGroupType: "SparkMemoryOptimized", "topology.kubernetes.io/zone": "us-west-2b" },
      initContainers: [
        {
          name: "volume-permission",
          image: "busybox",
          command: ["sh", "-c", "chown -R 999:1000 /data1"],
          volumeMounts: [{ name: "spark-local-dir-1", mountPath: "/data1" }],
        },
      ],
      containers: [
        { name: EXECUTOR, volumeMounts: [{ name: "spark-local-dir-1", mountPath: "/data1", readOnly: false }] },
      ],
      tolerations: [{ key: "spark-memory-optimized", operator: "Exists", effect: "NoSchedule" }],
    },
  },
  "gang scheduling by annotations": {
    metadata: {
      labels: { applicationId: "taxi", queue: "root.test" },
      annotations: { "yunikorn.apache.org/task-group-name": "spark-executor" },
    },
    spec: { schedulerName: "yunikorn", containers: [{ name: EXECUTOR }] },
  },
  "a folder of a file system that all share": {
    spec: {
      volumes: [{ name: "fsx", persistentVolumeClaim: { claimName: "fsx-static-pvc" } }],
      containers: [{ name: EXECUTOR, volumeMounts: [{ name: "fsx", mountPath: "/static", subPath: "data" }] }],
    },
  },
  "nodes by affinity, spread over zones": {
    spec: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: "family", operator: "In", values: ["c7gd", "m7gd"] }] }],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 10, preference: { matchExpressions: [{ key: "capacity", operator: "In", values: ["SPOT"] }] } },
          ],
        },
        podAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 100,
              podAffinityTerm: {
                topologyKey: "topology.kubernetes.io/zone",
                labelSelector: { matchLabels: { "spark-role": "executor" } },
              },
            },
          ],
        },
      },
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "ScheduleAnyway" },
      ],
      containers: [{ name: EXECUTOR }],
    },
  },
  "a restricted namespace": {
    spec: {
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 185, fsGroup: 185, seccompProfile: { type: "RuntimeDefault" } },
      containers: [
        {
          name: EXECUTOR,
          securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
          resources: { requests: { "ephemeral-storage": "10Gi" } },
        },
      ],
    },
  },
  "an enclave with devices of the node": {
    spec: {
      hostNetwork: true,
      runtimeClassName: "kata",
      containers: [
        {
          name: EXECUTOR,
          securityContext: { privileged: true },
          volumeMounts: [{ name: "device", mountPath: "/dev/sgx" }],
        },
      ],
      volumes: [{ name: "device", hostPath: { path: "/dev/sgx" } }],
    },
  },
  "a proxy beside Spark, with a certificate of a signer and a token for a vault": {
    spec: {
      shareProcessNamespace: true,
      imagePullSecrets: [{ name: "registry" }],
      serviceAccountName: "vault-reader",
      volumes: [
        {
          name: "tokens",
          projected: {
            sources: [{ serviceAccountToken: { audience: "vault", path: "token" } }, { secret: { name: "ca" } }],
          },
        },
        { name: "secrets", csi: { driver: "secrets-store.csi.k8s.io", readOnly: true } },
      ],
      containers: [
        { name: EXECUTOR },
        {
          name: "proxy",
          image: "proxy:1",
          ports: [{ containerPort: 9000 }],
          volumeMounts: [{ name: "secrets", mountPath: "/secrets", readOnly: true }],
          livenessProbe: { httpGet: { path: "/", port: 9000 } },
          envFrom: [{ configMapRef: { name: "proxy-settings" } }],
        },
      ],
    },
  },
  "claims on devices": {
    spec: {
      resourceClaims: [{ name: "gpu", resourceClaimTemplateName: "one-gpu" }],
      containers: [{ name: EXECUTOR, resources: { claims: [{ name: "gpu" }] } }],
    },
  },
};

const CONFIGURATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "local disks of driver and executors": {
    ...volumes("driver", "hostPath", "spark-local-dir-1", LOCAL_DISK),
    ...volumes("executor", "hostPath", "spark-local-dir-1", LOCAL_DISK),
  },
  "local disks of executors alone": volumes("executor", "hostPath", "spark-local-dir-1", LOCAL_DISK),
  "claims of their own": volumes("executor", "persistentVolumeClaim", "spark-local-dir-1", {
    ...{ "mount.path": "/data", "options.claimName": "OnDemand", "options.storageClass": "gp3" },
    "options.sizeLimit": "10Gi",
  }),
  "a claim that all share": volumes("executor", "persistentVolumeClaim", "data", {
    "mount.path": "/data",
    "options.claimName": "shared",
  }),
  "NFS that is only read": volumes("executor", "nfs", "share", {
    ...{ "mount.path": "/share", "mount.readOnly": "true", "options.server": "nfs.example", "options.path": "/s" },
  }),
  "Secrets and variables of Secrets": {
    "spark.kubernetes.driver.secretKeyRef.PW": "db:password",
    "spark.kubernetes.executor.secretKeyRef.PW": "db:password",
    "spark.kubernetes.executor.secrets.gcp": "/mnt/secrets",
  },
  "devices, nodes, another scheduler, another account, pull secrets": {
    "spark.executor.resource.gpu.amount": "1",
    "spark.executor.resource.gpu.vendor": "nvidia.com",
    "spark.executor.resource.gpu.discoveryScript": "/opt/gpus.sh",
    "spark.kubernetes.node.selector.pool": "spark",
    "spark.kubernetes.executor.node.selector.gpu": "true",
    "spark.kubernetes.executor.scheduler.name": "volcano",
    "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
    "spark.kubernetes.authenticate.executor.serviceAccountName": "reader",
    "spark.kubernetes.container.image.pullSecrets": "one,two",
  },
  "decommissioning and annotations": {
    "spark.decommission.enabled": "true",
    "spark.kubernetes.executor.annotation.io.kubernetes.cri-o.userns-mode": "auto",
    "spark.kubernetes.executor.annotation.team": "etl",
  },
};

describe("the gateway makes the executors that a submission asks for", () => {
  test.each(Object.keys(TEMPLATES))("by a template: %s", (name) => {
    const { excess, unasked } = judged({ template: TEMPLATES[name] ?? {} });
    expect(excess).toEqual([]);
    const isHarmless = name === "gang scheduling by annotations" ? unasked.length === 1 : unasked.length > 0;
    expect(isHarmless, unasked.join()).toBe(true);
  });

  test.each(Object.keys(CONFIGURATIONS))("by its configuration: %s", (name) => {
    expect(judged({ conf: CONFIGURATIONS[name] ?? {} }).excess).toEqual([]);
  });

  test("by both together", () => {
    for (const template of Object.values(TEMPLATES)) {
      for (const conf of Object.values(CONFIGURATIONS)) expect(judged({ conf, template }).excess).toEqual([]);
    }
  });
});
