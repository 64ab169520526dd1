import type { KubeClient } from "@kindling/kube";
import type { Clock } from "@kindling/outside";
import type { Bystander } from "./bystander.ts";

/** Where rounds take place. */
export interface Stage {
  /** A client of an operator's own. */
  readonly connect: (userAgent?: string) => KubeClient;
  readonly client: KubeClient;
  /** The operators'. */
  readonly clock: Clock;
  readonly bystander: Bystander;
  /** Ends the containers of a pod. */
  readonly end: (pod: { readonly namespace: string; readonly name: string }, exitCode: number) => void;
}
