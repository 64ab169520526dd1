import type { Profile } from "../profiles/profile.ts";
import { type DriverRecord, isGone } from "./driver-record.ts";

/** A driver with what is known of its use. */
export interface SeenDriver extends DriverRecord {
  /** Without a call for so long, milliseconds; at most 0 while something runs, or may run. */
  readonly idleMs: number;
  /** How long ago a session of it was released, milliseconds; `undefined` if none was. */
  readonly releasedMs: number | undefined;
}

export type StopReason = "idle" | "old" | "released" | "never-ready" | "superfluous" | "no-profile";

export interface Decision {
  readonly stop: readonly { readonly driver: DriverRecord; readonly reason: StopReason }[];
  /** How many drivers to make that wait for a session. */
  readonly park: number;
  /** When to look again at the latest, milliseconds. */
  readonly againMs: number;
}

export interface ProfileView {
  /** `undefined` if the profile is there no more. */
  readonly profile: Profile | undefined;
  readonly drivers: readonly SeenDriver[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const LOOK_MS = 60_000;
/** A client that releases its session still says so long which operations it needs no more. */
export const RELEASED_MS = 1000;

/** Decides what becomes of a profile's drivers. */
export function decide({ profile, drivers, now }: ProfileView): Decision {
  const live = drivers.filter((driver) => !isGone(driver));
  if (profile === undefined) {
    // Sessions of a profile that was taken away go on until they are idle for the usual time.
    const stop = live.filter(({ key, idleMs }) => key === undefined || idleMs > LOOK_MS);
    return { stop: stop.map((driver) => ({ driver, reason: "no-profile" })), park: 0, againMs: LOOK_MS };
  }
  const ends = live.map((driver) => ({ driver, reason: reasonToStop(driver, profile, now) }));
  const parked = live.filter(({ key }) => key === undefined);
  const staying = parked.filter(({ uid }) =>
    ends.some(({ driver, reason }) => driver.uid === uid && reason === undefined),
  );
  // They would fail again. Each of them is in the way until it is deleted.
  const failed = drivers.filter(({ key, phase }) => key === undefined && phase === "ended");
  // The newest ones go, because the oldest ones are ready first.
  const superfluous = staying.toSorted((a, b) => a.created - b.created).slice(profile.warm);
  const stop = [
    ...ends.flatMap(({ driver, reason }) => (reason === undefined ? [] : [{ driver, reason }])),
    ...superfluous.map((driver) => ({ driver, reason: "superfluous" as const })),
  ];
  return {
    stop,
    park: Math.max(0, profile.warm - staying.length - failed.length),
    againMs: Math.min(LOOK_MS, ...live.flatMap((driver) => endsIn(driver, profile, now))),
  };
}

function reasonToStop(driver: SeenDriver, profile: Profile, now: number): StopReason | undefined {
  const age = now - driver.created;
  if (profile.ttlSeconds !== undefined && age >= profile.ttlSeconds * 1000) return "old";
  if (driver.phase === "pending" && age >= givenUpMs(profile)) return "never-ready";
  if (driver.key === undefined) return undefined;
  // Spark opens a released session never again, and nothing of it goes on.
  if (profile.sharing === "session" && (driver.releasedMs ?? 0) >= RELEASED_MS) return "released";
  return driver.idleMs >= profile.idleSeconds * 1000 ? "idle" : undefined;
}

/** The calls that wait for a driver give up first, and look at its pod to say why. */
function givenUpMs({ startSeconds }: Profile): number {
  return startSeconds * 1000 + 15_000;
}

/** After how many milliseconds a driver may have to be stopped. */
function endsIn(driver: SeenDriver, profile: Profile, now: number): number[] {
  const age = now - driver.created;
  const left = [
    profile.ttlSeconds === undefined ? undefined : profile.ttlSeconds * 1000 - age,
    driver.phase === "pending" ? givenUpMs(profile) - age : undefined,
    driver.key === undefined ? undefined : profile.idleSeconds * 1000 - driver.idleMs,
    profile.sharing === "session" && driver.releasedMs !== undefined ? RELEASED_MS - driver.releasedMs : undefined,
  ];
  return left.flatMap((ms) => (ms === undefined ? [] : [Math.max(100, ms)]));
}
