import type { CollectReport } from "@kindling/staging-client";
import { SYNCHRONISE_SECONDS } from "../metadata/service-clock.ts";
import { attempt } from "./attempt.ts";
import { cleaningRound, type CleaningContext } from "./cleaning-round.ts";
import { collector, type Collector } from "./collector.ts";

/** Deletes what nobody needs any more, for as long as the server runs. */
export interface Cleaner extends Pick<Collector, "totals"> {
  start(): void;
  /** One collection now, of bundles and of blobs. */
  collect(dryRun: boolean): Promise<CollectReport>;
  stop(): Promise<void>;
}

export function cleaner(context: CleaningContext): Cleaner {
  const { election, clock, timer, intervalSeconds } = context;
  const collecting = collector(context);
  const round = cleaningRound(context, collecting);
  let cancel: () => void = () => undefined;
  let running: Promise<unknown> = Promise.resolve();
  let stopped = false;
  const next = new Map<boolean, Promise<CollectReport>>();

  function schedule(): void {
    if (stopped) return;
    cancel = timer.after(Math.min(intervalSeconds, SYNCHRONISE_SECONDS) * 1000, () => {
      running = running.then(round).then(schedule);
    });
  }

  return {
    start() {
      running = running.then(round).then(schedule);
    },
    collect(dryRun) {
      // However many ask at once, one collection after the question is enough for all.
      const waiting = next.get(dryRun);
      if (waiting !== undefined) return waiting;
      const mine = running.then(() => {
        next.delete(dryRun);
        return collecting.collect(dryRun);
      });
      next.set(dryRun, mine);
      running = mine.catch(() => undefined);
      return mine;
    },
    get totals() {
      return collecting.totals;
    },
    async stop() {
      stopped = true;
      cancel();
      await running;
      await attempt(context, "clock", () => clock.synchronise(election.inCharge()));
      await attempt(context, "readers", () => context.readers.withdraw());
    },
  };
}
