import {
  type ConnectSessions,
  SPARK_APP_ID_LABEL,
  SPARK_APP_NAME_LABEL,
  SPARK_VERSION_LABEL,
} from "@kindling/core-spec";
import { applicationPhase, diagnose, podState, type Diagnosis, type Finding, type PodState } from "@kindling/diagnosis";
import { resources, type KubeClient } from "@kindling/kube";
import { executorsByApplication } from "./executors-by-application.ts";

/** One application that is in the cluster. */
export interface ListedApplication {
  readonly namespace: string;
  readonly driverPod: string;
  /** The application's name as far as a label can hold it. */
  readonly name: string;
  readonly id: string;
  readonly sparkVersion: string;
  /** The phase of Spark's container: sidecars that still run keep the pod, but not the application, from ending. */
  readonly phase: string;
  /** The phase, or the reason why the application does not go on: OOMKilled, `0/3 executors: Insufficient memory`. */
  readonly state: string;
  /** The reason for the driver's phase, if the cluster gives one. */
  readonly reason: string | undefined;
  /** RFC 3339 */
  readonly created: string | undefined;
  /** How many executor pods run, and how many exist; `undefined` if they were not asked for. */
  readonly executors: Diagnosis["executors"];
  /** The sessions of Spark Connect that it is for; `undefined` unless kindling-connect has made it. */
  readonly connect: ConnectSessions | undefined;
  /** The problems that the pods show. */
  readonly findings: readonly Finding[];
}

export interface ListOptions {
  /** Whether to list the applications of all namespaces. Default: those of the client's namespace. */
  readonly allNamespaces?: boolean;
  /** Labels that the driver pod has. */
  readonly labelSelector?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** All applications in the cluster, no matter who submitted them. Throws KubeError. */
export async function listApplications(client: KubeClient, options: ListOptions): Promise<ListedApplication[]> {
  const { allNamespaces = false, labelSelector, now } = options;
  const drivers = await client.listAll(resources.pods, {
    allNamespaces,
    labelSelector: `spark-role=driver${labelSelector === undefined ? "" : `,${labelSelector}`}`,
  });
  if (drivers.items.length === 0) return [];
  const executorsOf = await executorsByApplication(client, { allNamespaces });
  return drivers.items.map(podState).map((driver) => {
    const known = { driverContainer: undefined, executors: executorsOf(driver) };
    const diagnosis = diagnose({ driver, ...known, events: undefined, log: undefined }, now);
    return { ...listedApplication(driver, diagnosis), findings: diagnosis.findings };
  });
}

/** One application as it is listed in one line, without its problems. */
export function listedApplication(driver: PodState, diagnosis: Diagnosis): Omit<ListedApplication, "findings"> {
  const { namespace, name, labels, created, deleting, reason, containers } = driver;
  const waiting = containers.find((container) => container.state === "waiting");
  return {
    namespace,
    driverPod: name,
    name: labels[SPARK_APP_NAME_LABEL] ?? "",
    id: labels[SPARK_APP_ID_LABEL] ?? "",
    sparkVersion: labels[SPARK_VERSION_LABEL] ?? "",
    phase: deleting ? "Terminating" : applicationPhase(driver),
    state: diagnosis.state,
    reason: reason ?? (waiting?.state === "waiting" ? waiting.reason : undefined),
    created,
    executors: diagnosis.executors,
    connect: driver.connect,
  };
}
