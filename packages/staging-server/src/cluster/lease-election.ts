import { lead, type LeaseSettings } from "@kindling/controller";
import type { KubeClient } from "@kindling/kube";
import { systemClock, systemRandom } from "@kindling/outside";
import type { Election } from "../replicas/election.ts";

export interface LeaseElectionOptions {
  readonly lease: LeaseSettings;
  /** Distinguishes this server from all others. */
  readonly identity: string;
  readonly onError: (error: unknown) => void;
}

/** The server that holds a Lease (coordination.k8s.io/v1) is in charge; the others wait for their turn. */
export function leaseElection(client: KubeClient, { lease, identity, onError }: LeaseElectionOptions): Election {
  const nothing = (): void => undefined;
  const fault = (message: string, fields: object = {}): void =>
    onError(new Error([message, ...Object.values(fields)].join(": ")));
  const leadership = lead({
    ...{ client, lease, identity, clock: systemClock, random: systemRandom() },
    log: { debug: nothing, info: nothing, warn: fault, error: fault },
    // The code that deletes checks each time whether this server is in charge.
    begin: () => () => Promise.resolve(),
  });
  return { inCharge: () => leadership.isLeading, close: () => leadership.stop() };
}
