import type { Clock } from "@kindling/outside";

/** Stock Spark keeps an operation so long after its client has gone (`spark.connect.execute.manager.detachedTimeout`, 5m). */
const DETACHED_MS = 300_000;
/** A session of Spark that is not used ends by itself (`spark.connect.session.manager.defaultSessionTimeout`, 60m). */
const SESSION_MS = 3_600_000;
const MOST_SESSIONS = 100_000;

interface Use {
  calls: number;
  /** The last moment of use, monotonic milliseconds; it may be in the future. */
  last: number;
  /** When a session was released the last time. */
  released: number | undefined;
}

interface SessionUse {
  readonly owner: string;
  readonly at: number;
  /** Whether it has had a driver. */
  readonly hasBegun: boolean;
}

/** What calls have done lately: how long drivers are idle, and how many sessions each user has. Times are monotonic. */
export class Activity {
  readonly #clock: Clock;
  readonly #drivers = new Map<string, Use>();
  /** The last use of sessions, the oldest first, by profile, user and id. */
  readonly #sessions = new Map<string, SessionUse>();
  readonly #owned = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Notes a call to a driver. The result is called at its end.
   *
   * @param driver its pod's uid
   */
  began(driver: string): (end: { readonly isBroken: boolean; readonly releases: boolean }) => void {
    const use = this.#use(driver);
    use.calls += 1;
    return ({ isBroken, releases }) => {
      use.calls -= 1;
      // The operation of a broken call may still run, and its client may come back for the rest.
      use.last = Math.max(use.last, this.#clock.monotonic() + (isBroken ? DETACHED_MS : 0));
      if (releases) use.released = this.#clock.monotonic();
    };
  }

  /** How long a driver has had no call, milliseconds; negative if something may still run. 0 for one that was not seen before. */
  idleMs(driver: string): number {
    const use = this.#use(driver);
    return use.calls > 0 ? 0 : this.#clock.monotonic() - use.last;
  }

  /** How long ago a session of the driver was released, milliseconds; `undefined` if none was. */
  releasedMs(driver: string): number | undefined {
    const released = this.#drivers.get(driver)?.released;
    return released === undefined ? undefined : this.#clock.monotonic() - released;
  }

  /** How many calls a driver carries out. */
  calls(driver: string): number {
    return this.#drivers.get(driver)?.calls ?? 0;
  }

  /** Notes the use of a session, if the user has no more than `most` in use with it. */
  useSession(profile: string, user: string, sessionId: string, most: number): boolean {
    const { owner, id } = keysOf(profile, user, sessionId);
    this.#forgetOld();
    const known = this.#sessions.get(id);
    this.#sessions.delete(id);
    const count = (this.#owned.get(owner) ?? 0) + (known === undefined ? 1 : 0);
    if (count > most) return false;
    this.#sessions.set(id, { owner, at: this.#clock.monotonic(), hasBegun: known?.hasBegun ?? false });
    this.#owned.set(owner, count);
    return true;
  }

  /** Notes that a session in use has a driver. @returns whether it is the first time */
  beginSession(profile: string, user: string, sessionId: string): boolean {
    const { id } = keysOf(profile, user, sessionId);
    const use = this.#sessions.get(id);
    if (use === undefined || use.hasBegun) return false;
    this.#sessions.set(id, { ...use, hasBegun: true });
    return true;
  }

  /** Notes that a session is over. @returns whether it had begun */
  endSession(profile: string, user: string, sessionId: string): boolean {
    const { owner, id } = keysOf(profile, user, sessionId);
    const hasBegun = this.#sessions.get(id)?.hasBegun === true;
    this.#forget(id, owner);
    return hasBegun;
  }

  /** How many sessions are in use. */
  get sessions(): number {
    this.#forgetOld();
    return this.#sessions.size;
  }

  /** Forgets drivers that are gone. */
  keepOnly(drivers: ReadonlySet<string>): void {
    for (const driver of this.#drivers.keys()) if (!drivers.has(driver)) this.#drivers.delete(driver);
  }

  #use(driver: string): Use {
    let use = this.#drivers.get(driver);
    if (use === undefined) {
      use = { calls: 0, last: this.#clock.monotonic(), released: undefined };
      this.#drivers.set(driver, use);
    }
    return use;
  }

  #forgetOld(): void {
    const oldest = this.#clock.monotonic() - SESSION_MS;
    for (const [id, { owner, at }] of this.#sessions) {
      if (at > oldest && this.#sessions.size < MOST_SESSIONS) return;
      this.#forget(id, owner);
    }
  }

  #forget(id: string, owner: string): void {
    if (!this.#sessions.delete(id)) return;
    const left = (this.#owned.get(owner) ?? 1) - 1;
    if (left === 0) this.#owned.delete(owner);
    else this.#owned.set(owner, left);
  }
}

/** The keys of a session, and of what its user has of the profile. */
function keysOf(profile: string, user: string, sessionId: string): { readonly owner: string; readonly id: string } {
  const owner = JSON.stringify([profile, user]);
  return { owner, id: JSON.stringify([owner, sessionId]) };
}
