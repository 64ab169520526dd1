import { messageOf } from "@kindling/core-spec";
import type { Clock } from "@kindling/outside";
import {
  type AuditedObject,
  type AuditedUser,
  type AuditLog,
  CREDENTIAL_ID,
  type Log,
  type TokenBuckets,
  tokenBuckets,
} from "@kindling/service";
import type { GrpcError } from "../grpc/grpc-status.ts";
import type { Profile } from "../profiles/profile.ts";
import type { User } from "../users/user.ts";
import type { CallFacts } from "./call-facts.ts";
import { refusalOf } from "./refusal.ts";

export interface SessionAuditOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly auditLog: AuditLog;
}

/** The profile of a driver, and the user who gets it. */
export interface DriverFor {
  readonly profile: Profile;
  /** `undefined` for one that waits for a session. */
  readonly user: User | undefined;
}

/** A driver that was seen in the cluster. */
export interface AuditedDriver {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly profile: string;
  readonly user: string | undefined;
}

/** Why a driver is stopped: in one word for programs, and for people. */
export interface StopWhy {
  readonly reason: string;
  readonly words: string;
}

/** Clients try again by themselves: this many refusals of one client are written at once, and as many more each minute. */
const REFUSALS_PER_MINUTE = 20;
/** All clients together may have as many as this number of clients. */
const CLIENTS_IN_ALL = 50;

/**
 * Writes what becomes of sessions and drivers, and who is refused: for people into the service's log, and with who and from
 * where into the audit log.
 */
export class SessionAudit {
  readonly #options: SessionAuditOptions;
  readonly #refusals: TokenBuckets;
  #omitted = 0;
  /** The uids of drivers whose end is known, until their pods are gone. */
  readonly #ended = new Set<string>();

  constructor(options: SessionAuditOptions) {
    this.#options = options;
    this.#refusals = tokenBuckets({
      clock: options.clock,
      perSecond: REFUSALS_PER_MINUTE / 60,
      burstSeconds: 60,
      clientsInAll: CLIENTS_IN_ALL,
    });
  }

  /** A session has a driver for the first time, as far as this process knows. */
  sessionBegan(facts: CallFacts, driver: string): void {
    const { log, auditLog } = this.#options;
    const reason = "a session's first call";
    log.info("a session began", { ...shown(facts), auth: facts.user?.mode, name: driver });
    auditLog.write({ verb: "connect", decision: "allow", reason, ...by(facts), object: about(facts, driver) });
  }

  sessionReleased(facts: CallFacts): void {
    const { log, auditLog } = this.#options;
    log.info("a session was released", shown(facts));
    auditLog.write({
      ...{ verb: "release", decision: "allow", reason: "its client has released the session" },
      ...by(facts),
      object: about(facts),
    });
  }

  /** A call is answered with an error of this service. */
  refused(facts: CallFacts, error: GrpcError): void {
    const { log, auditLog } = this.#options;
    const refusal = refusalOf(error);
    if (refusal === undefined) return;
    if (!this.#refusals.take(JSON.stringify([facts.client, facts.user?.name]))) {
      this.#omitted += 1;
      return;
    }
    const omitted = this.#omitted === 0 ? undefined : this.#omitted;
    this.#omitted = 0;
    const { code, message } = error;
    log.info("a call was refused", { method: facts.method, ...shown(facts), code, error: message, omitted });
    auditLog.write({ verb: "connect", ...refusal, ...by(facts), object: about(facts), omitted });
  }

  /**
   * Has a driver made, and writes how that ended.
   *
   * @param make returns the name of its pod
   */
  async making({ profile, user }: DriverFor, make: () => Promise<string>): Promise<string> {
    const { log, auditLog } = this.#options;
    const shownHere = { profile: profile.name, user: user?.name, namespace: profile.namespace };
    const event = { verb: "create", user: user && auditedUser(user) };
    const object = { namespace: profile.namespace, resource: "pods", profile: profile.name };
    try {
      const name = await make();
      log.info("a driver was made", { ...shownHere, name });
      const reason = user === undefined ? "to wait for a session" : "for a session";
      auditLog.write({ ...event, decision: "allow", reason, object: { ...object, name } });
      return name;
    } catch (error) {
      log.info("a driver could not be made", { ...shownHere, error: messageOf(error) });
      auditLog.write({ ...event, decision: "error", reason: "no driver of this profile can be made", object });
      throw error;
    }
  }

  /** A driver that waited for a session has one. */
  driverTaken({ profile, user }: DriverFor, name: string): void {
    const { log, auditLog } = this.#options;
    const { namespace } = profile;
    log.info("a driver that waited has a session", { profile: profile.name, user: user?.name, namespace, name });
    auditLog.write({
      ...{ verb: "assign", decision: "allow", reason: "it waited for a session", user: user && auditedUser(user) },
      object: { namespace, resource: "pods", name, profile: profile.name },
    });
  }

  /**
   * Has a driver stopped, and writes it.
   *
   * @param stop rejects if it could not be stopped; then nothing is written
   */
  async stopping(driver: AuditedDriver, { reason, words }: StopWhy, stop: () => Promise<void>): Promise<void> {
    const { log, auditLog } = this.#options;
    // Its end may be seen before the API server's answer.
    this.#ended.add(driver.uid);
    try {
      await stop();
    } catch (error) {
      this.#ended.delete(driver.uid);
      throw error;
    }
    const { profile, name, user } = driver;
    log.info("a driver was stopped", { profile, name, user, reason });
    const why = `${words} (${reason})`;
    auditLog.write({ verb: "delete", decision: "allow", reason: why, object: podOf(driver) });
  }

  /** A driver has ended. It is written once, and not if it was decided here. */
  driverEnded(driver: AuditedDriver, reason: string): void {
    const { log, auditLog } = this.#options;
    if (this.#ended.has(driver.uid)) return;
    this.#ended.add(driver.uid);
    const { profile, name, user } = driver;
    log.info("a driver has ended", { profile, name, user, reason });
    auditLog.write({ verb: "end", decision: "allow", reason, object: podOf(driver) });
  }

  /** A driver had ended before this process began. */
  driverEndedBefore({ uid }: AuditedDriver): void {
    this.#ended.add(uid);
  }

  /** A driver's pod is gone. */
  driverGone({ uid }: AuditedDriver): void {
    this.#ended.delete(uid);
  }
}

function shown({ user, profile, sessionId }: CallFacts): {
  readonly user: string | undefined;
  readonly profile: string | undefined;
  readonly session: string | undefined;
} {
  return { user: user?.name, profile: profile?.name, session: sessionId };
}

function by({ user, client, userAgent }: CallFacts): {
  readonly user: AuditedUser | undefined;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string | undefined;
} {
  return { user: user && auditedUser(user), sourceIPs: [client], userAgent };
}

function auditedUser(user: User): AuditedUser {
  const credentialID = user.kind === "reviewed" ? user.reviewed.extra[CREDENTIAL_ID]?.[0] : undefined;
  return { username: user.name, groups: user.groups, credentialID, authentication: user.mode };
}

/** @param driver the name of its driver's pod, if it has one */
function about({ profile, sessionId }: CallFacts, driver?: string): AuditedObject | undefined {
  if (profile === undefined && sessionId === undefined) return undefined;
  return {
    namespace: profile?.namespace,
    ...(driver !== undefined && { resource: "pods", name: driver }),
    ...{ profile: profile?.name, session: sessionId },
  };
}

function podOf({ namespace, name, uid, profile }: AuditedDriver): AuditedObject {
  return { namespace, resource: "pods", name, uid, profile };
}
