import { type Cache, startCache } from "@kindling/controller";
import { type KubeClient, type KubeError, resources } from "@kindling/kube";
import { type Outside, sleep } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { SessionAudit } from "../audit/session-audit.ts";
import type { CalledDriver, DriverConnections } from "./driver-connections.ts";
import { GrpcError } from "../grpc/grpc-status.ts";
import type { Profile } from "../profiles/profile.ts";
import { driverRecord, type DriverRecord, isGone, SERVICE_LABEL } from "./driver-record.ts";
import { isListening } from "./is-listening.ts";
import type { DriverMaker } from "./make-driver.ts";
import { ParkedDrivers } from "./parked-drivers.ts";
import { driverKey, type Session, userKey } from "./session-key.ts";
import { tellEnd } from "./tell-end.ts";
import { whyNotReady } from "./why-not-ready.ts";

export interface DriversOptions {
  readonly client: KubeClient;
  readonly outside: Outside;
  readonly log: Log;
  readonly audit: SessionAudit;
  /** Namespaces to look for drivers in; empty: all. */
  readonly namespaces: readonly string[];
  /** The name of this service, which its drivers have as a label. */
  readonly service: string;
  readonly maker: DriverMaker;
  readonly connections: DriverConnections;
}

/** A driver that accepts calls. */
export interface ReadyDriver extends CalledDriver {
  readonly uid: string;
  readonly name: string;
}

type DriverIndex = "key" | "profile";

/** How often a server that is being started is tried. */
const TRY_MS = 50;
const RETRY_MS = 1000;
/** After a driver failed, its sessions get the same answer for so long. */
const FAILURE_MS = 20_000;

/** The drivers of all sessions: found in the cluster, made where there are none, and given out when they accept calls. */
export class Drivers {
  readonly cache: Cache<DriverRecord, DriverIndex>;
  readonly parked: ParkedDrivers;
  readonly #options: DriversOptions;
  /** Starts that are under way, by the key of their sessions. */
  readonly #starts = new Map<string, Promise<ReadyDriver>>();
  /** Drivers that accept calls, by the uid of their pods. */
  readonly #ready = new Map<string, ReadyDriver>();
  readonly #failures = new Map<string, { readonly error: unknown; readonly until: number }>();
  /** Drivers that are being made, by their sessions' key, with the user and the profile that they count for. */
  readonly #making = new Map<string, string>();
  readonly #stopping = new AbortController();

  constructor(options: DriversOptions) {
    this.#options = options;
    const { client, namespaces, outside, log } = options;
    this.cache = startCache(client, resources.pods, {
      ...{
        clock: outside.clock,
        random: outside.random,
        namespaces,
        labelSelector: `${SERVICE_LABEL}=${options.service}`,
        keep: driverRecord,
      },
      identityOf: (driver) => driver,
      indexes: {
        key: ({ key }) => (key === undefined ? [] : [key]),
        profile: ({ profile }) => [profile],
      },
      onError(error: KubeError, namespace: string | undefined, isRefusedAgain: boolean) {
        if (!isRefusedAgain) log.warn("the drivers cannot be watched", { namespace, error: error.message });
      },
    });
    const isReady = (uid: string): boolean => this.#ready.has(uid);
    this.parked = new ParkedDrivers({ client, clock: outside.clock, cache: this.cache, isReady });
    this.cache.subscribe({
      changed: (change) => {
        tellEnd(change, options.audit);
        const record = change.type === "deleted" ? change.previous : change.record;
        const isThere = change.type !== "deleted" && record.phase !== "ended";
        if (!isThere || isGone(record)) this.#ready.delete(record.uid);
        if (!isThere && record.ip !== undefined) options.connections.drop({ host: record.ip, port: record.port });
      },
    });
  }

  /** The driver of a session that accepts calls right now, without any wait. */
  readyNow(session: Session): ReadyDriver | undefined {
    const record = this.#live(driverKey(session));
    return record && this.#ready.get(record.uid);
  }

  /** Whether the session has a driver, ready or not, as far as the cluster is known. Waits until it was listed once. */
  async isKnown(session: Session): Promise<boolean> {
    await this.cache.synced;
    const key = driverKey(session);
    return this.#live(key) !== undefined || this.#starts.has(key);
  }

  /** Whether sessions of this key get a driver just now. */
  isStarting(key: string): boolean {
    return this.#starts.has(key);
  }

  /** The error for a call that does not wait any longer for a driver that is being started. */
  async notReadyYet(session: Session, waitedMs: number): Promise<GrpcError> {
    const { client, outside } = this.#options;
    const waited = `the call waited ${waitedMs / 1000} s`;
    const record = this.#live(driverKey(session));
    if (record === undefined)
      return new GrpcError(
        "UNAVAILABLE",
        `a driver of profile ${session.profile.name} is being made; ${waited}: try again`,
      );
    const { text, needsPerson } = await whyNotReady(client, record, "is not ready", outside.clock.now());
    return needsPerson
      ? new GrpcError("FAILED_PRECONDITION", text)
      : new GrpcError("UNAVAILABLE", `${text}; ${waited}: try again`, { retryAfterMs: RETRY_MS });
  }

  /**
   * The driver of a session, which is made if there is none. A start goes on even if nobody waits for it any more.
   *
   * @throws GrpcError that says why there is none
   */
  async get(session: Session): Promise<ReadyDriver> {
    const ready = this.readyNow(session);
    if (ready !== undefined) return ready;
    const key = driverKey(session);
    const { clock } = this.#options.outside;
    const failure = this.#failures.get(key);
    if (failure !== undefined && failure.until > clock.monotonic()) throw failure.error;
    let start = this.#starts.get(key);
    if (start === undefined) {
      start = this.#start(session, key).finally(() => this.#starts.delete(key));
      this.#starts.set(key, start);
      start.catch((error: unknown) => this.#noteFailure(key, error));
    }
    return await start;
  }

  /** Forgets that a driver accepts calls: a call could not reach it. */
  doubt(uid: string): void {
    this.#ready.delete(uid);
  }

  /** Waits until a driver accepts calls. @throws GrpcError */
  async untilReady(find: () => DriverRecord | undefined, profile: Profile): Promise<ReadyDriver> {
    const { clock } = this.#options.outside;
    const end = clock.monotonic() + profile.startSeconds * 1000;
    let seen: DriverRecord | undefined;
    while (clock.monotonic() < end && !this.#stopping.signal.aborted) {
      const record = find();
      if ((record !== undefined && isGone(record)) || (record === undefined && seen !== undefined))
        throw new GrpcError("FAILED_PRECONDITION", await this.#why(seen ?? record, "ended before it was ready"));
      seen = record ?? seen;
      if (record?.phase === "running" && record.ip !== undefined && (await this.#accepts(record)))
        return this.#noteReady(record, record.ip);
      await sleep(clock, TRY_MS, this.#stopping.signal);
    }
    if (this.#stopping.signal.aborted) throw new GrpcError("UNAVAILABLE", "kindling-connect is being restarted");
    throw new GrpcError("FAILED_PRECONDITION", await this.#why(seen, `was not ready after ${profile.startSeconds} s`));
  }

  /** The profile of each driver, and whether it belongs to sessions or waits for one. */
  states(): readonly { readonly profile: string; readonly state: "in-use" | "waiting" }[] {
    return [...this.cache.values()]
      .filter((driver) => !isGone(driver))
      .map(({ profile, key }) => ({ profile, state: key === undefined ? "waiting" : "in-use" }));
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.cache.stop();
  }

  /** The oldest one: two processes that made one at the same moment agree about it. */
  #live(key: string): DriverRecord | undefined {
    let oldest: DriverRecord | undefined;
    for (const record of this.cache.byIndex("key", key))
      if (!isGone(record) && (oldest === undefined || record.created < oldest.created)) oldest = record;
    return oldest;
  }

  async #start(session: Session, key: string): Promise<ReadyDriver> {
    const { profile } = session;
    await this.cache.synced;
    if (this.#live(key) !== undefined) return await this.untilReady(() => this.#live(key), profile);
    this.#checkQuota(session);
    this.#making.set(key, quotaOf(session));
    try {
      const name = await this.#driverFor(session, key);
      return await this.untilReady(() => this.cache.get(`${profile.namespace}/${name}`), profile);
    } finally {
      this.#making.delete(key);
    }
  }

  /** Takes or makes a driver. @returns the name of its pod */
  async #driverFor(session: Session, key: string): Promise<string> {
    const { profile, queue, user } = session;
    const { maker, audit } = this.#options;
    const owner = { key, user: profile.sharing === "all" ? undefined : user.name };
    // Those that wait are in the profile's own queue.
    const parked = queue === profile.queue ? await this.parked.take(profile, owner) : undefined;
    if (parked === undefined) return await audit.making({ profile, user }, () => maker.make({ profile, queue, owner }));
    audit.driverTaken({ profile, user }, parked);
    return parked;
  }

  #checkQuota(session: Session): void {
    const { profile, user } = session;
    if (profile.sharing === "all") return;
    const own = userKey(user.name);
    const keys = new Set<string | undefined>();
    for (const driver of this.cache.byIndex("profile", profile.name))
      if (!isGone(driver) && driver.userKey === own) keys.add(driver.key);
    // The watch does not show yet all that was made.
    for (const [key, quota] of this.#making) if (quota === quotaOf(session)) keys.add(key);
    if (keys.size < profile.driversPerUser) return;
    throw new GrpcError(
      "RESOURCE_EXHAUSTED",
      `you have ${keys.size} drivers of profile ${profile.name}, and may have no more: stop one with kindling connect stop, or end its session`,
    );
  }

  /** Remembers why no driver can be had, so that clients who try again at once do not fill the cluster. */
  #noteFailure(key: string, error: unknown): void {
    const now = this.#options.outside.clock.monotonic();
    for (const [old, { until }] of this.#failures) if (until <= now) this.#failures.delete(old);
    if (error instanceof GrpcError && error.code === "FAILED_PRECONDITION")
      this.#failures.set(key, { error, until: now + FAILURE_MS });
  }

  async #accepts({ ip, port, uid }: DriverRecord): Promise<boolean> {
    return ip !== undefined && (this.#ready.has(uid) || (await isListening({ host: ip, port })));
  }

  #noteReady({ uid, namespace, name, port }: DriverRecord, host: string): ReadyDriver {
    const ready = { uid, name, host, port, token: this.#options.maker.tokenOf(namespace, name) };
    this.#ready.set(uid, ready);
    return ready;
  }

  async #why(record: DriverRecord | undefined, what: string): Promise<string> {
    const { client, outside } = this.#options;
    return (await whyNotReady(client, record, what, outside.clock.now())).text;
  }
}

/** What a session's driver counts for. */
function quotaOf({ profile, user }: Session): string {
  return JSON.stringify([profile.name, user.name]);
}
