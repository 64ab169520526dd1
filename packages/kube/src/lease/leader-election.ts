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
  /** The work itself has ended. */
  | "finished";

/**
 * What a leader does until the signal aborts. `isHeld` says at any moment whether the lease is certainly held. It is also
 * right in a process that was paused for a while and has not noticed yet that its lease has expired.
 */
export type LeaderWork = (signal: AbortSignal, isHeld: () => boolean) => Promise<void>;

/** So that candidates do not try at the same time. */
const JITTER = 0.2;

/**
 * Waits until this process holds a Lease, does the work, and keeps the lease during it (client-go's leaderelection: 15 s, 10
 * s, 2 s). The work's signal aborts when the lease is lost or the caller's signal aborts; the lease is released only after
 * the work has ended. Rejects with what the work throws; faults of the API server only cost the lease.
 *
 * A renewal counts from the moment of the request, not of its answer (as in client-go): others may have seen it long before a
 * slow answer comes.
 */
export async function leadWhileElected(
  client: KubeClient,
  options: LeaderElectionOptions,
  work: LeaderWork,
  signal: AbortSignal,
): Promise<LeadershipEnd> {
  const { clock = systemClock, random = Math.random, retryPeriodMs = 2_000, renewDeadlineMs = 10_000 } = options;
  const candidate = createCandidate(client, options, clock);
  const pause = (): Promise<void> => sleep(clock, retryPeriodMs * (1 + JITTER * random()), signal);

  let deadline = clock.monotonic() + renewDeadlineMs;
  while (!(await candidate.tryHold(renewDeadlineMs, signal))) {
    if (!signal.aborted) await pause();
    if (signal.aborted) return "stopped";
    deadline = clock.monotonic() + renewDeadlineMs;
  }

  const ending = new AbortController();
  const isHeld = (): boolean => !ending.signal.aborted && clock.monotonic() < deadline;
  const working = work(ending.signal, isHeld).finally(() => ending.abort());
  // Its rejection is passed on below, after the lease is released.
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
    for (;;) {
      await sleep(clock, retryPeriodMs, signal, ending.signal);
      if (ending.signal.aborted) return "finished";
      if (signal.aborted) return "stopped";
      const asked = clock.monotonic();
      // A process that was paused for so long begins again.
      if (asked >= deadline) return "lost";
      if (await candidate.tryHold(deadline - asked, signal)) deadline = asked + renewDeadlineMs;
      else if (candidate.leader() !== options.identity || clock.monotonic() >= deadline)
        return signal.aborted ? "stopped" : "lost";
    }
  }
}
