import type { Clock } from "@kindling/outside";
import type { KubeError } from "../errors/kube-error.ts";

export interface LeaderElectionOptions {
  /** The lease; default namespace: the client's. */
  readonly name: string;
  readonly namespace?: string | undefined;
  /** Unique among all candidates: a pod's name, or host name and process id. */
  readonly identity: string;
  /** How long others wait after the last renewal; default 15 s. */
  readonly leaseDurationMs?: number | undefined;
  /**
   * When a leader that cannot renew gives up. It must be shorter than the lease, otherwise there could be two leaders.
   * Default 10 s.
   */
  readonly renewDeadlineMs?: number | undefined;
  /** How often to renew, and to try; default 2 s. */
  readonly retryPeriodMs?: number | undefined;
  /** Told who leads, at each change. */
  readonly onLeader?: ((identity: string) => void) | undefined;
  /** Told of faults; the candidate continues. */
  readonly onError?: ((error: KubeError) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}
