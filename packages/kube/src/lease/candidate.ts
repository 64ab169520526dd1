import type { Lease } from "kubernetes-types/coordination/v1.js";
import type { KubeClient } from "../client/kube-client.ts";
import type { Clock } from "@kindling/outside";
import { isKubeError } from "../errors/kube-error.ts";
import { isConflict, isNotFound } from "../errors/status.ts";
import { linkedAbort } from "../linked-abort.ts";
import { resources } from "../resources.ts";
import type { LeaderElectionOptions } from "./leader-election-options.ts";
import { heldLease, observe, releasedLease, viewOf, type LeaseObservation } from "./lease-record.ts";

/** One process that wants a lease. */
export interface Candidate {
  /** Takes or renews the lease if that is possible; gives up after a time. */
  tryHold(withinMs: number, signal: AbortSignal): Promise<boolean>;
  /** The holder as last seen. */
  leader(): string | undefined;
  release(): Promise<void>;
}

export function createCandidate(client: KubeClient, options: LeaderElectionOptions, clock: Clock): Candidate {
  const { name, identity } = options;
  const namespace = options.namespace ?? client.namespace;
  const durationSeconds = Math.ceil((options.leaseDurationMs ?? 15_000) / 1000);
  let observation: LeaseObservation | undefined;
  let leader: string | undefined;

  function note(lease: Lease): LeaseObservation {
    observation = observe(lease, observation, clock.monotonic());
    const holder = lease.spec?.holderIdentity;
    if (holder !== undefined && holder !== "" && holder !== leader) options.onLeader?.(holder);
    leader = holder;
    return observation;
  }

  async function hold(signal: AbortSignal): Promise<boolean> {
    // A holder knows its lease and renews it without reading; a conflict tells if somebody has interfered.
    const isHolder = observation !== undefined && viewOf(observation, identity, clock.monotonic()).kind === "mine";
    const current = isHolder ? observation : await read(signal);
    if (current === undefined) {
      note(
        await client.create(
          resources.leases,
          heldLease({ metadata: { name, namespace } }, identity, durationSeconds, clock.now()),
          { signal },
        ),
      );
      return true;
    }
    if (viewOf(current, identity, clock.monotonic()).kind === "held") return false;
    note(
      await client.replace(resources.leases, heldLease(current.lease, identity, durationSeconds, clock.now()), {
        signal,
      }),
    );
    return true;
  }

  async function read(signal: AbortSignal): Promise<LeaseObservation | undefined> {
    try {
      return note(await client.get(resources.leases, name, { namespace, signal }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  return {
    leader: () => leader,
    async tryHold(withinMs, signal) {
      const until = linkedAbort(signal);
      const cancel = clock.after(Math.max(0, withinMs), () => until.abort());
      try {
        return await hold(until.signal);
      } catch (error) {
        if (!isKubeError(error)) throw error;
        // Somebody was quicker: look at the lease again at once, so as to know who leads.
        if (isConflict(error)) return await lookAgain(until.signal);
        if (!signal.aborted) options.onError?.(error);
        return false;
      } finally {
        cancel();
        until.release();
      }
    },
    async release() {
      if (observation === undefined || leader !== identity) return;
      try {
        await client.replace(resources.leases, releasedLease(observation.lease, clock.now()));
      } catch (error) {
        // It runs out by itself.
        if (isKubeError(error)) options.onError?.(error);
        else throw error;
      }
    },
  };

  async function lookAgain(signal: AbortSignal): Promise<false> {
    try {
      await read(signal);
    } catch (error) {
      if (!isKubeError(error)) throw error;
      options.onError?.(error);
    }
    return false;
  }
}
