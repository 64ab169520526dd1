import { SPARK_APP_ID_LABEL, SPARK_APP_NAME_LABEL, SPARK_VERSION_LABEL } from "@kindling/core-spec";
import { resources, type KubeClient } from "@kindling/kube";
import { podState, type PodState } from "../cluster/pod-state.ts";

/** One application that is in the cluster. */
export interface ListedApplication {
  readonly namespace: string;
  readonly driverPod: string;
  /** The application's name as far as a label can hold it. */
  readonly name: string;
  readonly id: string;
  readonly sparkVersion: string;
  readonly phase: string;
  /** Why the driver is in its phase, where the cluster says so. */
  readonly reason: string | undefined;
  readonly created: string | undefined;
  /** Executor pods that run; `undefined` where they were not asked for. */
  readonly executors: number | undefined;
}

export interface ListOptions {
  /** Those of all namespaces, and not of the client's alone. */
  readonly allNamespaces?: boolean;
  /** Labels that the driver pod has. */
  readonly labelSelector?: string | undefined;
}

/** The applications that are in the cluster, whoever submitted them. Throws KubeError. */
export async function listApplications(client: KubeClient, options: ListOptions = {}): Promise<ListedApplication[]> {
  const { allNamespaces = false, labelSelector } = options;
  const drivers = await client.listAll(resources.pods, {
    allNamespaces,
    labelSelector: `spark-role=driver${labelSelector === undefined ? "" : `,${labelSelector}`}`,
  });
  const executors =
    drivers.items.length === 0 ? new Map<string, number>() : await runningExecutors(client, allNamespaces);
  return drivers.items
    .map(podState)
    .map((driver) => listedApplication(driver, executors.get(driver.labels[SPARK_APP_ID_LABEL] ?? "") ?? 0));
}

/** @param executors how many of its executors run, where that is known */
export function listedApplication(driver: PodState, executors: number | undefined): ListedApplication {
  const { namespace, name, labels, phase, created, deleting, reason, containers } = driver;
  const waiting = containers.find((container) => container.state === "waiting");
  return {
    namespace,
    driverPod: name,
    name: labels[SPARK_APP_NAME_LABEL] ?? "",
    id: labels[SPARK_APP_ID_LABEL] ?? "",
    sparkVersion: labels[SPARK_VERSION_LABEL] ?? "",
    phase: deleting ? "Terminating" : phase,
    reason: reason ?? (waiting?.state === "waiting" ? waiting.reason : undefined),
    created,
    executors,
  };
}

async function runningExecutors(client: KubeClient, allNamespaces: boolean): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const pages = client.list(resources.pods, {
    allNamespaces,
    labelSelector: "spark-role=executor",
    fieldSelector: "status.phase=Running",
    resourceVersion: "0",
  });
  for await (const page of pages) {
    for (const { metadata } of page.items) {
      const id = metadata?.labels?.[SPARK_APP_ID_LABEL] ?? "";
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return counts;
}
