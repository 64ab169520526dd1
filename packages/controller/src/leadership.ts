import { messageOf } from "@kindling/core-spec";
import { fencedClient, type KubeClient, leadWhileElected } from "@kindling/kube";
import { type Outside, sleep } from "@kindling/outside";
import type { ControllerLog } from "./workers.ts";

/** The Lease (coordination.k8s.io/v1) whose holder leads; default times: client-go's, 15 s, 10 s and 2 s. */
export interface LeaseSettings {
  readonly name: string;
  /** Default: the client's. */
  readonly namespace?: string | undefined;
  readonly leaseDurationMs?: number | undefined;
  readonly renewDeadlineMs?: number | undefined;
  readonly retryPeriodMs?: number | undefined;
}

export interface LeadershipOptions extends Pick<Outside, "clock" | "random"> {
  readonly client: KubeClient;
  /** Without one, this process always leads. */
  readonly lease: LeaseSettings | undefined;
  /** Tells this process from all others. */
  readonly identity: string;
  readonly log: ControllerLog;
  /**
   * Begins to act, with a client that writes only while the lease is held. `isHeld` says the same for other writes. The returned
   * function ends this.
   */
  readonly begin: (writing: KubeClient, isHeld: () => boolean) => () => Promise<void>;
}

/** Whether this process is the one that acts (the leader). */
export interface Leadership {
  readonly isLeading: boolean;
  /** Ends the work, and then releases the lease, so that the next process need not wait. */
  stop(): Promise<void>;
}

const AFTER_FAULT_MS = 5_000;

/** Acts whenever the lease is held. Each time begins without any memory of earlier times. */
export function lead(options: LeadershipOptions): Leadership {
  const { client, lease, begin } = options;
  if (lease !== undefined) return leadByLease(options, lease);
  const end = begin(client, () => true);
  let isLeading = true;
  return {
    get isLeading() {
      return isLeading;
    },
    async stop() {
      await end();
      isLeading = false;
    },
  };
}

function leadByLease(options: LeadershipOptions, lease: LeaseSettings): Leadership {
  const { client, identity, log, begin, clock, random } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let current: (() => Promise<void>) | undefined;

  async function act(lost: AbortSignal, isHeld: () => boolean): Promise<void> {
    if (signal.aborted) return;
    log.info("this replica leads", { identity });
    const end = begin(fencedClient(client, { signal: lost, isOpen: isHeld }), isHeld);
    current = end;
    if (!lost.aborted) await new Promise<void>((resolve) => lost.addEventListener("abort", () => resolve()));
    current = undefined;
    await end();
  }

  async function run(): Promise<void> {
    const election = {
      ...lease,
      identity,
      onLeader: (leader: string) => log.info("a replica leads", { leader }),
      onError: (error: Error) => log.warn("the lease cannot be read or renewed", { error: error.message }),
      clock,
      random: () => random.fraction(),
    };
    while (!signal.aborted) {
      try {
        const end = await leadWhileElected(client, election, act, signal);
        if (end === "lost") log.warn("the lease is lost: this replica stands by", { identity });
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
      // Work in progress ends while the lease is still held.
      await current?.();
      stopping.abort();
      await running;
    },
  };
}
