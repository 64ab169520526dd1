import type { Clock } from "@kindling/outside";
import type { KubeError } from "../errors/kube-error.ts";

export interface LeaderElectionOptions {
  /** The lease; default namespace: the client's. */
  readonly name: string;
  readonly namespace?: string | undefined;
  /** Unlike all other candidates': a pod's name, or host name and process id. */
  readonly identity: string;
  /** How long others wait after the last sign of life; default 15 s. */
  readonly leaseDurationMs?: number | undefined;
  /** When a leader who cannot renew gives up; shorter than the lease, or there would be two leaders. Default 10 s. */
  readonly renewDeadlineMs?: number | undefined;
  /** How often to renew, and to try; default 2 s. */
  readonly retryPeriodMs?: number | undefined;
  /** Told who leads, at each change. */
  readonly onLeader?: ((identity: string) => void) | undefined;
  /** Told of faults that do not end the candidacy. */
  readonly onError?: ((error: KubeError) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}
