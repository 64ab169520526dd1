import { againAfter, type Controller, type ReconcileResult, watch } from "@kindling/controller";
import { isNotFound, type KubeClient, resources } from "@kindling/kube";
import type { Outside } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { SessionAudit } from "../audit/session-audit.ts";
import type { DriverConnections } from "./driver-connections.ts";
import type { Profile } from "../profiles/profile.ts";
import type { Activity } from "./activity.ts";
import { decide, type StopReason } from "./decide.ts";
import { type DriverRecord, isGone } from "./driver-record.ts";
import type { Drivers } from "./drivers.ts";
import type { DriverMaker } from "./make-driver.ts";
import { STOP_WORDS } from "./stop-words.ts";
import { Warmer } from "./warmer.ts";

export interface KeeperOptions {
  readonly client: KubeClient;
  readonly outside: Outside;
  readonly log: Log;
  readonly audit: SessionAudit;
  readonly drivers: Drivers;
  readonly maker: DriverMaker;
  readonly activity: Activity;
  readonly connections: DriverConnections;
  /** The profile of this name, as the file says at present. */
  readonly profileOf: (name: string) => Profile | undefined;
  /** Tells the names of all profiles now, and again when the file has changed. */
  readonly watchProfiles: (add: (name: string) => void) => () => void;
  readonly onStopped: (reason: StopReason) => void;
}

/** The drivers are not listed yet: they may have another state than is known. */
const UNSYNCED_MS = 1000;
/** Drivers that have ended stay for their logs. */
const ENDED_MS = 600_000;

/** Stops the drivers of each profile that nobody needs, and keeps as many waiting as the profile says. Keys are names of profiles. */
export function keeper(options: KeeperOptions): Controller {
  const { client, outside, log, audit, drivers, maker, activity, connections, profileOf, onStopped } = options;
  const warmer = new Warmer({ outside, log, drivers, connections });
  /** When drivers were first seen to have ended, milliseconds since the epoch. */
  const endedSince = new Map<string, number>();
  /** Parked drivers that were made, and that the watch has not shown yet, with their profile. */
  const unseen = new Map<string, string>();

  async function remove({ namespace, name, uid }: DriverRecord): Promise<void> {
    try {
      await client.delete(resources.pods, name, { namespace, preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async function removeEnded(record: DriverRecord, now: number): Promise<void> {
    if (record.phase !== "ended") return;
    const since = endedSince.get(record.uid) ?? now;
    endedSince.set(record.uid, since);
    if (now - since >= ENDED_MS) await remove(record);
  }

  /** Forgets what is no longer there. */
  function forget(records: readonly DriverRecord[]): void {
    for (const { name } of records) unseen.delete(name);
    const uids = new Set([...drivers.cache.values()].map(({ uid }) => uid));
    warmer.keepOnly(uids);
    for (const uid of endedSince.keys()) if (!uids.has(uid)) endedSince.delete(uid);
    activity.keepOnly(uids);
  }

  /** A driver that waits for a session, or that a session waits for, has no call yet; that is not idleness. */
  function idleMs({ uid, key }: DriverRecord): number {
    return key === undefined || drivers.isStarting(key) ? 0 : activity.idleMs(uid);
  }

  function park(profile: Profile): Promise<string> {
    const parked = { profile, queue: profile.queue, owner: undefined };
    return audit.making({ profile, user: undefined }, () => maker.make(parked));
  }

  async function reconcile(name: string): Promise<ReconcileResult> {
    if (!drivers.cache.isSynced) return againAfter(UNSYNCED_MS);
    const profile = profileOf(name);
    const records = [...drivers.cache.byIndex("profile", name)];
    const now = outside.clock.now();
    const seen = records.map((record) => ({
      ...record,
      idleMs: idleMs(record),
      releasedMs: activity.releasedMs(record.uid),
    }));
    const { stop, park: wanted, againMs } = decide({ profile, drivers: seen, now });
    for (const { driver, reason } of stop) {
      // A call may have come since; a driver that has one is not idle.
      if (reason === "idle" && activity.calls(driver.uid) > 0) continue;
      await audit.stopping(driver, { reason, words: STOP_WORDS[reason] }, () => remove(driver));
      onStopped(reason);
    }
    for (const record of records) await removeEnded(record, now);
    forget(records);
    if (profile === undefined) return againAfter(againMs);
    for (const parked of seen) if (parked.key === undefined && !isGone(parked)) warmer.warmUp(parked, profile);
    const coming = [...unseen.values()].filter((of) => of === name).length;
    if (coming >= wanted) return againAfter(againMs);
    const waitMs = drivers.parked.replacementMs(name);
    if (waitMs > 0) return againAfter(Math.min(againMs, waitMs));
    for (let count = coming; count < wanted; count += 1) unseen.set(await park(profile), name);
    drivers.parked.replaced(name);
    return againAfter(againMs);
  }

  return {
    name: "drivers",
    workers: 4,
    watches: [options.watchProfiles, watch(drivers.cache, ({ profile }) => [profile])],
    reconcile,
  };
}
