import { againAfter, done, type ReconcileResult, startController } from "@kindling/controller";
import { systemRandom } from "@kindling/outside";
import type { CollectReport } from "@kindling/staging-client";
import { SYNCHRONISE_SECONDS } from "../metadata/service-clock.ts";
import { attempt } from "./attempt.ts";
import { cleaningRound, type CleaningContext } from "./cleaning-round.ts";
import { collector, type Collector } from "./collector.ts";

/** Deletes data that is not needed any more, for as long as the server runs. */
export interface Cleaner extends Pick<Collector, "totals"> {
  start(): void;
  /** One collection now, of bundles and of blobs. */
  collect(dryRun: boolean): Promise<CollectReport>;
  stop(): Promise<void>;
}

/** The tasks: a round again and again, and requests of administrators between two rounds. */
const ROUND = "round";
const COLLECTION = "collection";
const DRY_RUN = "dry-run";

/** The callers that wait for a collection. */
interface Asked {
  readonly report: Promise<CollectReport>;
  readonly settle: (report: Promise<CollectReport>) => void;
}

export function cleaner(context: CleaningContext): Cleaner {
  const { election, clock, timer, intervalSeconds } = context;
  const collecting = collector(context);
  const round = cleaningRound(context, collecting);
  const asked = new Map<string, Asked>();

  async function reconcile(key: string): Promise<ReconcileResult> {
    if (key === ROUND) {
      await round();
      return againAfter(Math.min(intervalSeconds, SYNCHRONISE_SECONDS) * 1000);
    }
    const wanted = asked.get(key);
    asked.delete(key);
    const report = collecting.collect(key === DRY_RUN);
    wanted?.settle(report);
    // The callers get the failure.
    await report.catch(() => undefined);
    return done;
  }

  const silent = (): void => undefined;
  const running = startController(
    // One at a time: two collections would count the same things.
    { name: "collection", watches: [], workers: 1, reconcile },
    {
      ...{ clock: timer, random: systemRandom(), log: { debug: silent, info: silent, warn: silent, error: silent } },
      onFault: (key, error) => context.onError(key, error),
    },
  );

  return {
    start: () => running.add(ROUND),
    collect(dryRun) {
      const key = dryRun ? DRY_RUN : COLLECTION;
      // One collection that begins after the requests is enough for all of them.
      const wanted = asked.get(key) ?? newlyAsked();
      asked.set(key, wanted);
      running.add(key);
      return wanted.report;
    },
    get totals() {
      return collecting.totals;
    },
    async stop() {
      await running.stop();
      for (const { settle } of asked.values()) settle(Promise.reject(new Error("the server is stopping")));
      await attempt(context, "clock", () => clock.synchronise(election.inCharge()));
      await attempt(context, "readers", () => context.readers.withdraw());
    },
  };
}

function newlyAsked(): Asked {
  let settle: Asked["settle"] = () => undefined;
  const report = new Promise<CollectReport>((resolve) => {
    settle = resolve;
  });
  return { report, settle };
}
