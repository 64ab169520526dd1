import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { Bystander } from "./bystander.ts";

/** Where rounds take place, and what makes pods run there. */
export interface Stage {
  /** A client of an operator's own. */
  readonly connect: (userAgent?: string) => KubeClient;
  readonly client: KubeClient;
  /** The operators'. */
  readonly clock: Clock;
  readonly bystander: Bystander;
  /** Of all namespaces that are made here. */
  readonly namespaceLabels: Readonly<Record<string, string>>;
  /** What each application has in its spec, so that its pods run here, unless it says else itself. */
  readonly spec: Readonly<Record<string, unknown>>;
  /** Ends the containers of a pod. */
  readonly end: (pod: { readonly namespace: string; readonly name: string }, exitCode: number) => void;
  /** Resolves when all is gone whose application is gone: the cluster's own collector need not be waited for. */
  readonly sweep: (namespace: string) => Promise<void>;
}
