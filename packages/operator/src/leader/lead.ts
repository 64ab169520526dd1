import { fencedClient, leadWhileElected, type KubeClient } from "@kindling/kube";
import { sleep, type Outside } from "@kindling/outside";
import { messageOf } from "@kindling/core-spec";
import type { Log } from "@kindling/service";
import type { LeaderElectionSettings } from "../flags/operator-settings.ts";

/** What an operator does while it leads. */
export interface Term {
  /** Resolves when nothing is being done any more. */
  stop(): Promise<void>;
}

export interface Leading {
  /** Ends the term and gives the lease back. */
  stop(): Promise<void>;
  readonly isLeading: boolean;
}

export interface LeadOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  /** Without it this process always leads. */
  readonly election: LeaderElectionSettings | undefined;
  /** The name of the pod: stock's operator puts it in front of what makes it unlike others. */
  readonly holder: string;
  readonly log: Log;
  /** Begins to act, with a client that writes only while the lease is held. */
  readonly begin: (client: KubeClient) => Term;
}

const AFTER_FAULT_MS = 5_000;

/** Acts while the lease is held, term after term. The lease is stock's own, so that its operator and this one never act together. */
export function lead(options: LeadOptions): Leading {
  const { client, election, begin } = options;
  if (election !== undefined) return leadInTerms(options, election);
  const term = begin(client);
  return { stop: () => term.stop(), isLeading: true };
}

function leadInTerms(options: LeadOptions, election: LeaderElectionSettings): Leading {
  const { client, holder, log, begin, clock, random } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const identity = `${holder}_${random.uuid()}`;
  let current: Term | undefined;

  async function work(lost: AbortSignal, isHeld: () => boolean): Promise<void> {
    log.info("this replica leads", { identity });
    const term = begin(fencedClient(client, { signal: lost, isOpen: isHeld }));
    current = term;
    if (!lost.aborted) await new Promise<void>((resolve) => lost.addEventListener("abort", () => resolve()));
    current = undefined;
    await term.stop();
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await leadWhileElected(
          client,
          {
            ...{ name: election.lockName, namespace: election.lockNamespace, identity },
            ...{ leaseDurationMs: election.leaseDurationMs, renewDeadlineMs: election.renewDeadlineMs },
            retryPeriodMs: election.retryPeriodMs,
            onLeader: (leader) => log.info("a replica leads", { leader }),
            onError: (error) => log.warn("the lease cannot be read or renewed", { error: error.message }),
            clock,
            random: () => random.fraction(),
          },
          work,
          signal,
        );
      } catch (error) {
        log.error("leading has failed", { error: messageOf(error) });
        await sleep(clock, AFTER_FAULT_MS, signal);
      }
    }
  }

  const running = run();
  return {
    get isLeading() {
      return current !== undefined;
    },
    async stop() {
      // What is under way comes to its end while the lease is still held.
      await current?.stop();
      stopping.abort();
      await running;
    },
  };
}
