import { driverPodWith, type PodOptions } from "@kindling/steps/testing";
import { describe, expect, test } from "vitest";

const ANNOTATION = "scheduler.kindling/executor-allowance";
const TEMPLATE = "spark.kubernetes.executor.podTemplateFile";

function allowance(options: Omit<PodOptions, "executorsBy">): unknown {
  const { pod } = driverPodWith([], { ...options, executorsBy: "gateway" });
  const text = pod.metadata?.annotations?.[ANNOTATION];
  return text === undefined ? undefined : JSON.parse(text);
}

function ofTemplate(template: object, conf: Readonly<Record<string, string>> = {}): unknown {
  return allowance({
    conf: { [TEMPLATE]: "/etc/executor.yaml", ...conf },
    files: { "/etc/executor.yaml": JSON.stringify(template) },
  });
}

function volume(kind: string, name: string, options: Readonly<Record<string, string>>): Record<string, string> {
  const prefix = `spark.kubernetes.executor.volumes.${kind}.${name}`;
  const entries = Object.entries(options).map(([option, value]) => [`${prefix}.options.${option}`, value]);
  return { [`${prefix}.mount.path`]: `/mnt/${name}`, ...Object.fromEntries(entries) };
}

describe("what the gateway is told that executors may have beside what the driver has", () => {
  test("is nothing, where the submission asks for nothing of the kind", () => {
    expect(allowance({})).toBeUndefined();
    const conf = {
      "spark.kubernetes.driver.secrets.mine": "/etc/mine",
      "spark.kubernetes.node.selector.zone": "a",
      "spark.kubernetes.authenticate.driver.serviceAccountName": "spark",
      "spark.executor.resource.gpu.amount": "1",
      "spark.executor.resource.gpu.vendor": "nvidia.com",
      "spark.decommission.enabled": "true",
      "spark.kubernetes.executor.label.team": "etl",
      ...volume("emptyDir", "scratch", { medium: "Memory" }),
      ...volume("persistentVolumeClaim", "spark-local-dir-1", {
        claimName: "OnDemand",
        storageClass: "gp3",
        sizeLimit: "10Gi",
      }),
    };
    expect(allowance({ conf })).toBeUndefined();
  });

  test("are the Secrets, the nodes, the account, the scheduler and the volumes of the configuration", () => {
    const conf = {
      "spark.kubernetes.executor.secrets.keys": "/etc/keys",
      "spark.kubernetes.executor.secretKeyRef.PASSWORD": "database:password",
      "spark.kubernetes.executor.node.selector.disk": "ssd",
      "spark.kubernetes.executor.scheduler.name": "yunikorn",
      "spark.kubernetes.authenticate.executor.serviceAccountName": "reader",
      ...volume("hostPath", "spark-local-dir-1", { path: "/local1", type: "Directory" }),
      ...volume("nfs", "share", { server: "nfs.example", path: "/share" }),
      ...volume("persistentVolumeClaim", "data", { claimName: "shared" }),
      "spark.kubernetes.executor.volumes.persistentVolumeClaim.data.mount.readOnly": "true",
    };
    expect(allowance({ conf })).toMatchObject({
      nodeSelector: { disk: "ssd" },
      schedulerName: "yunikorn",
      serviceAccountName: "reader",
      volumes: expect.arrayContaining([
        { secret: { secretName: "keys" } },
        { name: "spark-local-dir-1", hostPath: { path: "/local1", type: "Directory" } },
        { name: "share", nfs: { server: "nfs.example", path: "/share" } },
        { name: "data", persistentVolumeClaim: { claimName: "shared", readOnly: true } },
      ]) as unknown,
      containers: [
        {
          env: [{ valueFrom: { secretKeyRef: { name: "database" } } }],
          volumeMounts: expect.arrayContaining([{ name: "data", readOnly: true }]) as unknown,
        },
      ],
    });
  });

  test("is what a template has, and no more of it", () => {
    const tolerations = [{ key: "dedicated", operator: "Exists" }];
    const nodes = { nodeSelectorTerms: [{ matchExpressions: [{ key: "gpu", operator: "Exists" }] }] };
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: nodes } };
    const unconfined = { seccompProfile: { type: "Unconfined" } };
    const template = {
      metadata: { annotations: { "io.kubernetes.cri-o.userns-mode": "auto", note: "x" }, labels: { team: "etl" } },
      spec: {
        ...{ nodeName: "node-1", priorityClassName: "low", nodeSelector: { disk: "hdd" }, tolerations, affinity },
        ...{ runtimeClassName: "nvidia", hostNetwork: true, dnsPolicy: "ClusterFirstWithHostNet" },
        topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" }],
        securityContext: { fsGroup: 185, fsGroupChangePolicy: "OnRootMismatch" },
        volumes: [
          { name: "b", projected: { sources: [{ secret: { name: "b" } }, { configMap: { name: "x" } }] } },
          { name: "c", emptyDir: {} },
        ],
        initContainers: [{ name: "i", securityContext: { runAsUser: 0 }, envFrom: [{ secretRef: { name: "d" } }] }],
        containers: [
          { name: "spark", env: [{ name: "E", valueFrom: { secretKeyRef: { name: "e", key: "k" } } }] },
          { name: "proxy", securityContext: unconfined, ports: [{ containerPort: 80, hostPort: 80 }] },
        ],
      },
    };
    expect(ofTemplate(template)).toEqual({
      ...{ nodeName: "node-1", nodeSelector: { disk: "hdd" }, priorityClassName: "low", tolerations, affinity },
      ...{ runtimeClassName: "nvidia", hostNetwork: true, securityContext: { fsGroup: 185 } },
      metadata: { annotations: { "io.kubernetes.cri-o.userns-mode": "auto" } },
      volumes: [{ projected: { sources: [{ secret: { name: "b" } }, { configMap: { name: "x" } }] } }],
      initContainers: [{ securityContext: { runAsUser: 0 }, envFrom: [{ secretRef: { name: "d" } }] }],
      containers: [
        { securityContext: unconfined, ports: [{ hostPort: 80 }] },
        { env: [{ valueFrom: { secretKeyRef: { name: "e" } } }] },
      ],
    });
  });

  test("is what the driver's pod says already, if it does", () => {
    const conf = {
      [`spark.kubernetes.driver.annotation.${ANNOTATION}`]: '{"hostNetwork":true}',
      "spark.kubernetes.executor.secrets.keys": "/etc/keys",
    };
    expect(allowance({ conf })).toEqual({ hostNetwork: true });
  });

  test("is nothing for a driver that makes its executors itself", () => {
    const conf = { "spark.kubernetes.executor.secrets.keys": "/etc/keys" };
    expect(driverPodWith([], { conf }).pod.metadata?.annotations?.[ANNOTATION]).toBeUndefined();
  });
});
