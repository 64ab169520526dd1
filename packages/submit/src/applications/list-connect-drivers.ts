import {
  CONNECT_KEY_LABEL,
  CONNECT_PROFILE_LABEL,
  CONNECT_USER_ANNOTATION,
  SPARK_APP_ID_LABEL,
  SPARK_ROLE_EXECUTOR,
  SPARK_ROLE_LABEL,
} from "@kindling/core-spec";
import { diagnose, podState } from "@kindling/diagnosis";
import { resources, type KubeClient } from "@kindling/kube";
import type { Pod } from "kubernetes-types/core/v1.js";
import { executorsByApplication } from "./executors-by-application.ts";
import { listedApplication, type ListedApplication } from "./list-applications.ts";

/** A driver that kindling-connect made for the sessions of its users. */
export interface ConnectDriver extends Omit<ListedApplication, "findings" | "name" | "driverPod" | "connect"> {
  /** The name of its pod. */
  readonly name: string;
  readonly profile: string;
  /** Whether it belongs to sessions. Otherwise it waits for one. */
  readonly isTaken: boolean;
  /** The user whose sessions it has; `undefined` if it waits, or if all users share it. */
  readonly user: string | undefined;
}

export interface ConnectDriversWanted {
  /** Whether to list the drivers of all namespaces. Default: those of the client's namespace. */
  readonly allNamespaces?: boolean;
  /** Instead of the client's namespace. */
  readonly namespace?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The drivers of kindling-connect in the cluster. Throws KubeError. */
export async function listConnectDrivers(
  client: KubeClient,
  { allNamespaces = false, namespace, now }: ConnectDriversWanted,
): Promise<ConnectDriver[]> {
  const { items } = await client.listAll<Pod>(resources.pods, {
    ...{ allNamespaces, namespace },
    // A template of executors may have the label, too.
    labelSelector: `${CONNECT_PROFILE_LABEL},${SPARK_ROLE_LABEL}!=${SPARK_ROLE_EXECUTOR}`,
  });
  if (items.length === 0) return [];
  const executorsOf = await executorsByApplication(client, { allNamespaces, namespace });
  return items.map((pod) => {
    const driver = podState(pod);
    // Only Spark has executors; other engines are one pod.
    const isSpark = driver.labels[SPARK_APP_ID_LABEL] !== undefined;
    const known = { driverContainer: undefined, executors: isSpark ? executorsOf(driver) : undefined };
    const diagnosis = diagnose({ driver, ...known, events: undefined, log: undefined }, now);
    const { driverPod, name: _name, connect: _connect, ...listed } = listedApplication(driver, diagnosis);
    return {
      ...{ ...listed, name: driverPod },
      profile: driver.labels[CONNECT_PROFILE_LABEL] ?? "",
      isTaken: driver.labels[CONNECT_KEY_LABEL] !== undefined,
      user: pod.metadata?.annotations?.[CONNECT_USER_ANNOTATION],
    };
  });
}
