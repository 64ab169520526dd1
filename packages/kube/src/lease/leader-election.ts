import type { KubeClient } from "../client/kube-client.ts";
import { sleep, systemClock } from "@kindling/outside";
import { createCandidate } from "./candidate.ts";
import type { LeaderElectionOptions } from "./leader-election-options.ts";

/** Why a leader's work ended. */
export type LeadershipEnd =
  /** The lease could not be renewed in time, or somebody else has it. */
  | "lost"
  /** The caller's signal. */
  | "stopped"
  /** The work itself came to its end. */
  | "finished";

/** So that candidates do not try in step. */
const JITTER = 0.2;

/**
 * Waits until this process holds a Lease, does the work, and keeps the lease meanwhile (client-go's leaderelection:
 * 15 s, 10 s, 2 s). The work's signal aborts when the lease is lost or the caller's signal aborts; the lease is given
 * back only after the work has ended. Rejects with what the work throws; faults of the API server only cost the lease.
 */
export async function leadWhileElected(
  client: KubeClient,
  options: LeaderElectionOptions,
  work: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<LeadershipEnd> {
  const { clock = systemClock, random = Math.random, retryPeriodMs = 2_000, renewDeadlineMs = 10_000 } = options;
  const candidate = createCandidate(client, options, clock);
  const pause = (): Promise<void> => sleep(clock, retryPeriodMs * (1 + JITTER * random()), signal);

  while (!(await candidate.tryHold(renewDeadlineMs, signal))) {
    if (!signal.aborted) await pause();
    if (signal.aborted) return "stopped";
  }

  const ending = new AbortController();
  const working = work(ending.signal).finally(() => ending.abort());
  // Its rejection is passed on below, after the lease is given back.
  working.catch(() => undefined);
  const end = await keepHolding();
  ending.abort();
  try {
    await working;
  } finally {
    if (end !== "lost") await candidate.release();
  }
  return end;

  async function keepHolding(): Promise<LeadershipEnd> {
    let renewedAt = clock.now();
    for (;;) {
      await sleep(clock, retryPeriodMs, signal, ending.signal);
      if (ending.signal.aborted) return "finished";
      if (signal.aborted) return "stopped";
      const deadline = renewedAt + renewDeadlineMs;
      if (await candidate.tryHold(deadline - clock.now(), signal)) renewedAt = clock.now();
      else if (candidate.leader() !== options.identity || clock.now() >= deadline)
        return signal.aborted ? "stopped" : "lost";
    }
  }
}
