import type { TestCluster } from "@kindling/test-cluster/test-cluster";
import { aPod, type PodBuilder } from "@kindling/test-kit/a-pod";
import { eventually } from "@kindling/test-kit/eventually";
import type { Pod } from "kubernetes-types/core/v1.js";

export const APP = "spark-stream";
const NAMESPACE = "/api/v1/namespaces/spark-jobs";
export const PODS = `${NAMESPACE}/pods`;
const LABELS = { "spark-role": "driver", "spark-app-selector": APP, "scheduler.kindling/gateway": "true", team: "etl" };

export interface Wish {
  readonly restart?: "onFailure" | "always";
  readonly max?: number;
  readonly backoff?: number;
  readonly resetAfter?: number;
  /** The arguments of Spark's container. */
  readonly args?: string[];
}

/** A driver pod that wants to be restarted. */
export function restartable({
  restart = "onFailure",
  max = 5,
  backoff = 1,
  resetAfter = 3600,
  args,
}: Wish = {}): PodBuilder {
  return aPod("drv")
    .in("spark-jobs")
    .labels(LABELS)
    .annotations({
      "scheduler.kindling/driver-restart": restart,
      "scheduler.kindling/driver-max-restarts": String(max),
      "scheduler.kindling/driver-restart-backoff-seconds": String(backoff),
      "scheduler.kindling/driver-restart-reset-after-seconds": String(resetAfter),
    })
    .gated("scheduler.kindling/admission")
    .container("spark-kubernetes-driver", {
      ...(args !== undefined && { args }),
      resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { memory: "1Gi" } },
      env: [{ name: "TOKEN", valueFrom: { secretKeyRef: { name: "drv-token", key: "token" } } }],
    })
    .spec({
      ...{ restartPolicy: "Never", serviceAccountName: "spark", automountServiceAccountToken: false },
      volumes: [{ name: "conf", configMap: { name: "drv-conf" } }],
    });
}

/** Submits an application as `kindling submit` does: the driver pod owns its objects. */
export async function submit(cluster: TestCluster, pod: PodBuilder = restartable()): Promise<Pod> {
  const made = (await cluster.send("POST", PODS, pod.build())) as Pod;
  const { name = "", uid } = made.metadata ?? {};
  const ownerReferences = [{ apiVersion: "v1", kind: "Pod", name, uid, controller: true }];
  const owned = (suffix: string): object => ({ name: `${name}-${suffix}`, ownerReferences });
  await cluster.send("POST", `${NAMESPACE}/secrets`, { metadata: owned("token"), stringData: { token: "t" } });
  await cluster.send("POST", `${NAMESPACE}/configmaps`, { metadata: owned("conf"), data: { a: "b" } });
  const spec = { clusterIP: "None", selector: LABELS, ports: [{ name: "rpc", port: 7078 }] };
  await cluster.send("POST", `${NAMESPACE}/services`, { metadata: owned("svc"), spec });
  return await runs(cluster, 0);
}

/** Waits for the running driver that was restarted so many times. */
export async function runs(cluster: TestCluster, restarts: number): Promise<Pod> {
  return await eventually(async () => {
    const pod = (await cluster.send("GET", `${PODS}/drv`)) as Pod;
    const { annotations = {}, finalizers = [] } = pod.metadata ?? {};
    const count = Number(annotations["scheduler.kindling/restarts"] ?? 0);
    if (count !== restarts || pod.status?.phase !== "Running") {
      throw new Error(`restarted ${count} times, and ${pod.status?.phase}`);
    }
    if (!finalizers.includes("scheduler.kindling/restart")) throw new Error("it is not held");
    return pod;
  });
}

/** The remaining objects of an application, as `Kind/name`, each with the pod that owns it. */
export async function belongings(cluster: TestCluster): Promise<string[]> {
  const kinds = ["Pod", "Service", "ConfigMap", "Secret", "PersistentVolumeClaim"] as const;
  const lists = await Promise.all(kinds.map(async (kind) => await cluster.objects<Pod>(kind)));
  const all = lists.flat();
  const nameOf = (uid: string): string => all.find(({ metadata }) => metadata?.uid === uid)?.metadata?.name ?? "nobody";
  return all
    .map(({ kind, metadata }) => {
      const owners = metadata?.ownerReferences?.map(({ uid }) => nameOf(uid)) ?? [];
      return [`${kind}/${metadata?.name}`, ...owners].join(" of ");
    })
    .sort();
}

/** The objects when no restart is in progress: the driver pod owns everything. */
export const ALL_OWNED = ["ConfigMap/drv-conf of drv", "Pod/drv", "Secret/drv-token of drv", "Service/drv-svc of drv"];

/** How long a check waits, on a busy machine. */
export const PATIENCE = { timeout: 25_000 };
