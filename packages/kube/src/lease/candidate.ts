import type { Lease } from "kubernetes-types/coordination/v1.js";
import type { KubeClient } from "../client/kube-client.ts";
import type { Clock } from "@kindling/outside";
import { isKubeError } from "../errors/kube-error.ts";
import { isConflict, isNotFound } from "../errors/status.ts";
import { linkedAbort } from "../linked-abort.ts";
import { resources } from "../resources.ts";
import type { LeaderElectionOptions } from "./leader-election-options.ts";
import { heldLease, observe, releasedLease, viewOf, type LeaseObservation } from "./lease-record.ts";

/** One process that wants to hold a lease. */
export interface Candidate {
  /** Takes or renews the lease if that is possible; gives up after a time. */
  tryHold(withinMs: number, signal: AbortSignal): Promise<boolean>;
  /** The holder as last seen. */
  leader(): string | undefined;
  release(): Promise<void>;
}

/** What a candidate knows about its lease. */
interface Candidacy {
  readonly client: KubeClient;
  readonly options: LeaderElectionOptions;
  readonly clock: Clock;
  observation: LeaseObservation | undefined;
  leader: string | undefined;
}

export function createCandidate(client: KubeClient, options: LeaderElectionOptions, clock: Clock): Candidate {
  const candidacy: Candidacy = { client, options, clock, observation: undefined, leader: undefined };
  return {
    leader: () => candidacy.leader,
    async tryHold(withinMs, signal) {
      const until = linkedAbort(signal);
      const cancel = clock.after(Math.max(0, withinMs), () => until.abort());
      try {
        return await hold(candidacy, until.signal);
      } catch (error) {
        if (!isKubeError(error)) throw error;
        // Somebody was faster: read the lease again at once, to know who leads.
        if (isConflict(error)) return await lookAgain(candidacy, until.signal);
        if (!signal.aborted) options.onError?.(error);
        return false;
      } finally {
        cancel();
        until.release();
      }
    },
    release: () => release(candidacy),
  };
}

async function hold(candidacy: Candidacy, signal: AbortSignal): Promise<boolean> {
  const { client, options, clock, observation } = candidacy;
  const { name, identity } = options;
  const durationSeconds = Math.ceil((options.leaseDurationMs ?? 15_000) / 1000);
  // A holder knows its lease and renews it without reading; a conflict tells if somebody has interfered.
  const isHolder = observation !== undefined && viewOf(observation, identity, clock.monotonic()).kind === "mine";
  const current = isHolder ? observation : await read(candidacy, signal);
  if (current === undefined) {
    const fresh = { metadata: { name, namespace: namespaceOf(candidacy) } };
    const lease = heldLease(fresh, identity, durationSeconds, clock.now());
    note(candidacy, await client.create(resources.leases, lease, { signal }));
    return true;
  }
  if (viewOf(current, identity, clock.monotonic()).kind === "held") return false;
  const lease = heldLease(current.lease, identity, durationSeconds, clock.now());
  note(candidacy, await client.replace(resources.leases, lease, { signal }));
  return true;
}

async function read(candidacy: Candidacy, signal: AbortSignal): Promise<LeaseObservation | undefined> {
  const { client, options } = candidacy;
  try {
    return note(
      candidacy,
      await client.get(resources.leases, options.name, { namespace: namespaceOf(candidacy), signal }),
    );
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function namespaceOf({ client, options }: Candidacy): string {
  return options.namespace ?? client.namespace;
}

function note(candidacy: Candidacy, lease: Lease): LeaseObservation {
  const { options, clock } = candidacy;
  const observation = observe(lease, candidacy.observation, clock.monotonic());
  candidacy.observation = observation;
  const holder = lease.spec?.holderIdentity;
  if (holder !== undefined && holder !== "" && holder !== candidacy.leader) options.onLeader?.(holder);
  candidacy.leader = holder;
  return observation;
}

async function lookAgain(candidacy: Candidacy, signal: AbortSignal): Promise<false> {
  try {
    await read(candidacy, signal);
  } catch (error) {
    if (!isKubeError(error)) throw error;
    candidacy.options.onError?.(error);
  }
  return false;
}

async function release({ client, options, clock, observation, leader }: Candidacy): Promise<void> {
  if (observation === undefined || leader !== options.identity) return;
  try {
    await client.replace(resources.leases, releasedLease(observation.lease, clock.now()));
  } catch (error) {
    // The lease expires by itself.
    if (isKubeError(error)) options.onError?.(error);
    else throw error;
  }
}
