import type { Clock } from "@kindling/outside";
import type { DocumentStore } from "../stores/document-store.ts";
import { documentCollection } from "./document.ts";
import { isNumber, isRecord } from "./shape.ts";

/**
 * Seconds for which the service has run since its data was made. All lifetimes are counted in these seconds. So a jump of
 * the machine's clock or a downtime of the service never makes data older; data can only live longer.
 */
export interface ServiceClock {
  /** Never decreases. */
  seconds(): number;
  /** Some data has this time stamp, so the clock was at least there: the clock's own record may be lost. */
  atLeast(seconds: number): void;
  /** Reads the count of other servers, and, if this server is in charge, writes its own count. */
  synchronise(inCharge: boolean): Promise<void>;
  /**
   * How much older than in reality something with another server's time stamp may look. It must be added to every
   * lifetime before something is deleted.
   */
  readonly slackSeconds: number;
}

/** How often `synchronise` must be called. */
export const SYNCHRONISE_SECONDS = 30;

interface ClockRecord {
  readonly seconds: number;
}

const NAME = "service-clock";

export async function serviceClock(documents: DocumentStore, clock: Clock): Promise<ServiceClock> {
  const records = documentCollection(documents, "state", isRecord<ClockRecord>({ seconds: isNumber }));
  let base = (await records.get(NAME))?.value.seconds ?? 0;
  let since = clock.monotonic();
  const seconds = (): number => base + (clock.monotonic() - since) / 1000;
  const advanceTo = (target: number): void => {
    const now = seconds();
    since = clock.monotonic();
    base = Math.max(now, target);
  };
  return {
    seconds,
    atLeast: advanceTo,
    // The clock of a server was read up to one period ago, from a record that was up to one period old.
    slackSeconds: documents.shared ? 3 * SYNCHRONISE_SECONDS : 0,
    async synchronise(inCharge) {
      const record = await records.get(NAME);
      if (record !== undefined) advanceTo(record.value.seconds);
      if (!inCharge) return;
      const value = { seconds: Math.floor(seconds()) };
      if (record === undefined) await records.create(NAME, value);
      else await records.update(NAME, (stored) => (stored.seconds >= value.seconds ? undefined : value));
    },
  };
}
