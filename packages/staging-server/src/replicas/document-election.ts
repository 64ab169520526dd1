import type { Clock } from "@kindling/outside";
import { StoreError } from "../errors/store-error.ts";
import { documentCollection } from "../metadata/document.ts";
import { isNumber, isRecord, isText } from "../metadata/shape.ts";
import type { DocumentStore, Version } from "../stores/document-store.ts";
import type { Election } from "./election.ts";

export interface DocumentElectionOptions {
  readonly documents: DocumentStore;
  readonly clock: Clock;
  /** Distinguishes this server from all others. */
  readonly identity: string;
  readonly onError: (error: unknown) => void;
}

interface LeaderRecord {
  readonly holder: string;
  readonly beat: number;
}

const NAME = "leader";
const BEAT_MS = 5_000;
// A leader that could not renew stops well before others may take over.
const GIVE_UP_MS = 12_000;
const TAKE_OVER_MS = 25_000;

/**
 * The server that renews a document in the shared store is in charge. This is for servers that share a store without a
 * Kubernetes cluster. Each server counts times with its own monotonic clock, from the last change that it has seen.
 */
export function documentElection({ documents, clock, identity, onError }: DocumentElectionOptions): Election {
  const records = documentCollection(documents, "state", isRecord<LeaderRecord>({ holder: isText, beat: isNumber }));
  let seen: { version: Version; at: number } | undefined;
  let renewedAt = -Infinity;
  let stopped = false;
  let cancel: () => void = () => undefined;

  async function round(): Promise<void> {
    const current = await records.get(NAME);
    const now = clock.monotonic();
    if (current === undefined) {
      await records.create(NAME, { holder: identity, beat: 0 });
      renewedAt = now;
      return;
    }
    if (seen?.version !== current.version) seen = { version: current.version, at: now };
    const mine = current.value.holder === identity;
    if (!mine && current.value.holder !== "" && now - seen.at < TAKE_OVER_MS) return;
    const next = { holder: identity, beat: current.value.beat + 1 };
    await documents.put("state", NAME, next, { expect: current.version });
    // The time before the request: its answer may have taken long.
    renewedAt = now;
  }

  async function attempt(): Promise<void> {
    try {
      await round();
    } catch (error) {
      // Another server was quicker: the next round shows which one.
      if (!(error instanceof StoreError) || error.kind !== "conflict") onError(error);
    }
  }

  let running: Promise<void> = Promise.resolve();
  const tick = (): void => {
    running = attempt().then(() => {
      if (!stopped) cancel = clock.after(BEAT_MS, tick);
    });
  };
  tick();

  const inCharge = (): boolean => !stopped && clock.monotonic() - renewedAt < GIVE_UP_MS;
  return {
    inCharge,
    async close() {
      const held = inCharge();
      stopped = true;
      cancel();
      await running;
      if (!held) return;
      await records
        .update(NAME, (record) => (record.holder === identity ? { ...record, holder: "" } : undefined))
        .catch(onError);
    },
  };
}
