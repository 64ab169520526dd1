import { fencedClient, type KubeClient, leadWhileElected } from "@kindling/kube";
import { type Outside, sleep } from "@kindling/outside";
import type { LeaderConfig } from "../config/leader-config.ts";
import type { Log } from "@kindling/service";

/** What a gateway does while it leads. */
export interface Term {
  /** Ends it: resolves when nothing is being made any more. */
  stop(): Promise<void>;
}

export interface TermsOptions extends Pick<Outside, "clock" | "random"> {
  readonly config: LeaderConfig;
  readonly client: KubeClient;
  /** Tells this process from all others. */
  readonly identity: string;
  readonly log: Log;
  /** Begins to serve, with a client that writes only while the lease is held. Must not throw. */
  readonly begin: (client: KubeClient) => Term;
}

const AFTER_FAULT_MS = 5_000;

/**
 * Lets a gateway serve while it holds the lease: term after term, each of which knows nothing of the ones before.
 *
 * @returns how to stop: the term ends first, and then the lease is given back, so that the next one need not wait
 */
export function startTerms(options: TermsOptions): Term {
  const { config, client, identity, clock, random, log, begin } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let current: Term | undefined;

  async function lead(lost: AbortSignal, isHeld: () => boolean): Promise<void> {
    if (signal.aborted) return;
    log.info("this replica leads", { identity });
    const term = begin(fencedClient(client, { signal: lost, isOpen: isHeld }));
    current = term;
    if (!lost.aborted) await new Promise<void>((resolve) => lost.addEventListener("abort", () => resolve()));
    current = undefined;
    await term.stop();
  }

  async function run(): Promise<void> {
    const election = {
      name: config["leader.leaseName"],
      namespace: config["leader.leaseNamespace"],
      identity,
      leaseDurationMs: config["leader.leaseDuration"] * 1000,
      renewDeadlineMs: config["leader.renewDeadline"] * 1000,
      retryPeriodMs: config["leader.retryPeriod"] * 1000,
      onLeader: (leader: string) => log.info("a replica leads", { leader }),
      onError: (error: Error) => log.warn("the lease cannot be read or renewed", { error: error.message }),
      clock,
      random: () => random.fraction(),
    };
    while (!signal.aborted) {
      try {
        const end = await leadWhileElected(client, election, lead, signal);
        if (end === "lost") log.warn("the lease is lost: drivers are sent away", { identity });
      } catch (error) {
        log.error("leading has failed", { error: String(error) });
        await sleep(clock, AFTER_FAULT_MS, signal);
      }
    }
  }

  const running = run();
  return {
    async stop() {
      const term = current;
      // What is under way comes to its end while the lease is still held.
      await term?.stop();
      stopping.abort();
      await running;
    },
  };
}
