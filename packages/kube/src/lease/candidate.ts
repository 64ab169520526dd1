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
interface Claim {
  readonly client: KubeClient;
  readonly options: LeaderElectionOptions;
  readonly clock: Clock;
  observation: LeaseObservation | undefined;
  leader: string | undefined;
}

export function createCandidate(client: KubeClient, options: LeaderElectionOptions, clock: Clock): Candidate {
  const claim: Claim = { client, options, clock, observation: undefined, leader: undefined };
  return {
    leader: () => claim.leader,
    async tryHold(withinMs, signal) {
      const until = linkedAbort(signal);
      const cancel = clock.after(Math.max(0, withinMs), () => until.abort());
      try {
        return await hold(claim, until.signal);
      } catch (error) {
        if (!isKubeError(error)) throw error;
        // Somebody was faster: read the lease again at once, to know who leads.
        if (isConflict(error)) return await lookAgain(claim, until.signal);
        if (!signal.aborted) options.onError?.(error);
        return false;
      } finally {
        cancel();
        until.release();
      }
    },
    release: () => release(claim),
  };
}

async function hold(claim: Claim, signal: AbortSignal): Promise<boolean> {
  const { client, options, clock, observation } = claim;
  const { name, identity } = options;
  const durationSeconds = Math.ceil((options.leaseDurationMs ?? 15_000) / 1000);
  // A holder knows its lease and renews it without reading; a conflict tells if somebody has interfered.
  const isHolder = observation !== undefined && viewOf(observation, identity, clock.monotonic()).kind === "mine";
  const current = isHolder ? observation : await read(claim, signal);
  if (current === undefined) {
    const fresh = { metadata: { name, namespace: namespaceOf(claim) } };
    const lease = heldLease(fresh, identity, durationSeconds, clock.now());
    note(claim, await client.create(resources.leases, lease, { signal }));
    return true;
  }
  if (viewOf(current, identity, clock.monotonic()).kind === "held") return false;
  const lease = heldLease(current.lease, identity, durationSeconds, clock.now());
  note(claim, await client.replace(resources.leases, lease, { signal }));
  return true;
}

async function read(claim: Claim, signal: AbortSignal): Promise<LeaseObservation | undefined> {
  const { client, options } = claim;
  try {
    return note(claim, await client.get(resources.leases, options.name, { namespace: namespaceOf(claim), signal }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function namespaceOf({ client, options }: Claim): string {
  return options.namespace ?? client.namespace;
}

function note(claim: Claim, lease: Lease): LeaseObservation {
  const { options, clock } = claim;
  const observation = observe(lease, claim.observation, clock.monotonic());
  claim.observation = observation;
  const holder = lease.spec?.holderIdentity;
  if (holder !== undefined && holder !== "" && holder !== claim.leader) options.onLeader?.(holder);
  claim.leader = holder;
  return observation;
}

async function lookAgain(claim: Claim, signal: AbortSignal): Promise<false> {
  try {
    await read(claim, signal);
  } catch (error) {
    if (!isKubeError(error)) throw error;
    claim.options.onError?.(error);
  }
  return false;
}

async function release({ client, options, clock, observation, leader }: Claim): Promise<void> {
  if (observation === undefined || leader !== options.identity) return;
  try {
    await client.replace(resources.leases, releasedLease(observation.lease, clock.now()));
  } catch (error) {
    // The lease expires by itself.
    if (isKubeError(error)) options.onError?.(error);
    else throw error;
  }
}
