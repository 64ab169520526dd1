import { sleep, systemClock } from "@kindling/outside";
import { leadWhileElected, type KubeClient } from "@kindling/kube";
import type { Election } from "../lifecycle/election.ts";

export interface LeaseElectionOptions {
  readonly name: string;
  readonly namespace: string;
  /** Tells this server from all others. */
  readonly identity: string;
  readonly onError: (error: unknown) => void;
}

const AFTER_FAULT_MS = 5_000;

/** In charge is whoever holds a Lease (coordination.k8s.io/v1); the others wait for their turn. */
export function leaseElection(client: KubeClient, options: LeaseElectionOptions): Election {
  const stopping = new AbortController();
  const { signal } = stopping;
  let inCharge = false;

  async function hold(lost: AbortSignal): Promise<void> {
    if (lost.aborted) return;
    inCharge = true;
    await new Promise<void>((resolve) => lost.addEventListener("abort", () => resolve(), { once: true }));
    inCharge = false;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await leadWhileElected(client, options, hold, signal);
      } catch (error) {
        options.onError(error);
        await sleep(systemClock, AFTER_FAULT_MS, signal);
      }
    }
  }

  const running = run();
  return {
    inCharge: () => inCharge,
    async close() {
      stopping.abort();
      await running;
    },
  };
}
