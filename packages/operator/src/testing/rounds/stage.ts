import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { Bystander } from "./bystander.ts";

/** The cluster for the rounds, and the means to run pods there. */
export interface Stage {
  /** Makes a client for one operator. */
  readonly connect: (userAgent?: string) => KubeClient;
  readonly client: KubeClient;
  /** The operators' clock. */
  readonly clock: Clock;
  readonly bystander: Bystander;
  /** The labels of all namespaces that are made here. */
  readonly namespaceLabels: Readonly<Record<string, string>>;
  /** The defaults of each application's spec, with which its pods can run here. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** Ends the containers of a pod. */
  readonly end: (pod: { readonly namespace: string; readonly name: string }, exitCode: number) => void;
  /**
   * Resolves when all objects without their application are gone, so that tests need not wait for the cluster's own
   * collector.
   */
  readonly sweep: (namespace: string) => Promise<void>;
}
