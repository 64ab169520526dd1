import { messageOf } from "@kindling/core-spec";
import { type Clock, within } from "@kindling/outside";
import type { Log } from "@kindling/service";
import type { CallFacts } from "../audit/call-facts.ts";
import type { SessionAudit } from "../audit/session-audit.ts";
import type { Activity } from "../drivers/activity.ts";
import type { Drivers, ReadyDriver } from "../drivers/drivers.ts";
import type { Session } from "../drivers/session-key.ts";
import { GrpcError } from "../grpc/grpc-status.ts";
import { GRPC_CONTENT_TYPE, HEALTH_CHECK_PATH, type Method, methodOf } from "../grpc/methods.ts";
import type { Fields } from "../hpack/static-table.ts";
import { valueOf } from "../http2/check-fields.ts";
import type { Http2Stream } from "../http2/http2-stream.ts";
import { type Profiles, queueOf } from "../profiles/profiles.ts";
import type { Authenticator, Credentials, User } from "../users/user.ts";
import type { DriverConnections } from "../drivers/driver-connections.ts";
import { answerEmpty, answerHealthy, asGrpcError, endCall } from "./end-call.ts";
import { type CallEnd, forwardCall } from "./forward-call.ts";
import type { OpenCall, OpenCalls } from "./open-calls.ts";
import { readOpening } from "./opening.ts";
import { withIdentity } from "./with-identity.ts";

export interface CallContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly audit: SessionAudit;
  readonly authenticator: Authenticator;
  readonly profiles: Profiles;
  readonly drivers: Drivers;
  readonly activity: Activity;
  readonly calls: OpenCalls;
  readonly connections: DriverConnections;
  readonly longestMessage: number;
  readonly firstMessageMs: number;
  /** How long a call waits for a driver that is being started. */
  readonly startWaitMs: number;
  /** A session was released by its client. */
  readonly onReleased: (profile: string) => void;
  readonly onEnd: (method: string, status: string, seconds: number) => void;
}

/** Whether a user made a call, or somebody without a valid token. */
export type CallOf = "user" | "nobody";

/** Spark's words for a session whose driver is there no more (SparkConnectSessionManager, INVALID_HANDLE.SESSION_NOT_FOUND). */
const NO_SESSION = "The handle is invalid. Session not found.";

/** A call as it comes in. */
export interface IncomingCall {
  readonly stream: Http2Stream;
  readonly headers: Fields;
  /** The address of its client. */
  readonly client: string;
}

/** Carries out one call: never rejects, and always ends it. */
export async function handleCall(incoming: IncomingCall, context: CallContext): Promise<CallOf> {
  const { stream, headers } = incoming;
  const { clock, log, audit, onEnd } = context;
  const began = clock.monotonic();
  const path = valueOf(headers, ":path") ?? "";
  const method = methodOf(path);
  const facts = factsOf(method, incoming);
  const told = (status: string): void => onEnd(facts.method, status, (clock.monotonic() - began) / 1000);
  try {
    if (path === HEALTH_CHECK_PATH) answerHealthy(stream);
    else if (method === undefined) throw new GrpcError("UNIMPLEMENTED", "only Spark Connect is served here");
    else {
      const { user, credentials } = await callerOf(incoming, context);
      facts.user = user;
      told(statusOf(await carryOut({ method, stream, headers, user, credentials, facts }, context)));
    }
  } catch (error) {
    const status = asGrpcError(error);
    if (status.code === "INTERNAL" && error !== status)
      log.error("a call failed", { method: method?.name, error: messageOf(error) });
    audit.refused(facts, status);
    told(status.code);
    endCall(stream, status);
  }
  return facts.user === undefined ? "nobody" : "user";
}

function factsOf(method: Method | undefined, { headers, client }: IncomingCall): CallFacts {
  return {
    method: method?.name ?? "other",
    client,
    userAgent: valueOf(headers, "user-agent"),
    ...{ user: undefined, profile: undefined, sessionId: undefined },
  };
}

interface Caller {
  readonly user: User;
  readonly credentials: Credentials;
}

/** @throws GrpcError if it is no call of gRPC, or not by somebody who is known */
async function callerOf({ headers, client }: IncomingCall, { authenticator }: CallContext): Promise<Caller> {
  if (
    valueOf(headers, ":method") !== "POST" ||
    valueOf(headers, "content-type")?.startsWith(GRPC_CONTENT_TYPE) !== true
  )
    throw new GrpcError("INVALID_ARGUMENT", "this is no call of gRPC");
  const credentials = { bearer: bearerOf(headers), client };
  return { user: await authenticator.authenticate(credentials), credentials };
}

interface CallToCarryOut extends Caller {
  readonly method: Method;
  readonly stream: Http2Stream;
  readonly headers: Fields;
  readonly facts: CallFacts;
}

async function carryOut(
  { method, stream, headers, user, credentials, facts }: CallToCarryOut,
  context: CallContext,
): Promise<CallEnd> {
  const { audit, clock, profiles, activity, calls, connections, longestMessage, firstMessageMs } = context;
  const call: OpenCall = { stream, user: user.name, credentials, facts };
  const remove = calls.add(call);
  try {
    const opening = await readOpening(stream, longestMessage, { clock, milliseconds: firstMessageMs });
    facts.sessionId = opening.sessionId;
    const profile = await profiles.ofUser(user, textOf(headers, "x-profile"));
    facts.profile = profile;
    const queue = queueOf(profile, textOf(headers, "x-queue"));
    const session = { profile, user, sessionId: opening.sessionId, queue };
    refuseClone(method, session);
    checkSessions(session, context);
    const driver = await driverFor(method, session, context);
    if (driver === undefined) return withoutDriver({ method, stream, session, facts }, context);
    const body = withIdentity(opening, user.name);
    if (activity.beginSession(profile.name, user.name, opening.sessionId)) audit.sessionBegan(facts, driver.name);
    const ended = activity.began(driver.uid);
    const end = await forwardCall({ stream, headers, body }, driver, connections);
    const releases = method.name === "ReleaseSession" && end.kind === "answered";
    if (releases) release(session, facts, context);
    ended({ isBroken: end.kind === "broken", releases });
    if (releases) context.onReleased(profile.name);
    if (end.kind === "broken" && end.by === "driver") context.drivers.doubt(driver.uid);
    return end;
  } finally {
    remove();
  }
}

function release({ profile, user, sessionId }: Session, facts: CallFacts, { activity, audit }: CallContext): void {
  if (activity.endSession(profile.name, user.name, sessionId)) audit.sessionReleased(facts);
}

/** The copy of a session is on its driver, where its calls would not go. */
function refuseClone({ name }: Method, { profile }: Session): void {
  if (name === "CloneSession" && profile.sharing === "session")
    throw new GrpcError(
      "UNIMPLEMENTED",
      `sessions of profile ${profile.name} cannot be cloned, because each has a driver of its own: take a profile with sharing: user`,
    );
}

function checkSessions({ profile, user, sessionId }: Session, { activity }: CallContext): void {
  if (activity.useSession(profile.name, user.name, sessionId, profile.sessionsPerUser)) return;
  throw new GrpcError(
    "RESOURCE_EXHAUSTED",
    `${user.name} has ${profile.sessionsPerUser} sessions of profile ${profile.name}, and may have no more: stop those that are not needed with spark.stop()`,
  );
}

async function driverFor(
  method: Method,
  session: Session,
  { drivers, clock, startWaitMs }: CallContext,
): Promise<ReadyDriver | undefined> {
  const ready = drivers.readyNow(session);
  if (ready !== undefined) return ready;
  if (!method.wakes && !(await drivers.isKnown(session))) return undefined;
  const found = await within(clock, startWaitMs, drivers.get(session), () => undefined);
  if (found === undefined) throw await drivers.notReadyYet(session, startWaitMs);
  return found;
}

/** A call about something that was on a driver which is gone. */
function withoutDriver(
  {
    method,
    stream,
    session,
    facts,
  }: Pick<CallToCarryOut, "method" | "stream" | "facts"> & { readonly session: Session },
  context: CallContext,
): CallEnd {
  if (method.name !== "ReleaseSession")
    throw new GrpcError("INTERNAL", NO_SESSION, { sparkErrorClass: "INVALID_HANDLE.SESSION_NOT_FOUND" });
  // There is nothing to release any more, and it counts no more for its user.
  release(session, facts, context);
  answerEmpty(stream);
  return { kind: "answered", status: "0" };
}

/** Spark's Scala client sent the token as `Authentication` for some releases (SPARK-57336). */
function bearerOf(headers: Fields): string | undefined {
  const value = valueOf(headers, "authorization") ?? valueOf(headers, "authentication") ?? "";
  return /^Bearer (\S+)$/i.exec(value)?.[1];
}

function textOf(headers: Fields, name: string): string | undefined {
  const text = valueOf(headers, name);
  return text === "" ? undefined : text;
}

function statusOf(end: CallEnd): string {
  return end.kind === "answered" ? end.status : `broken by ${end.by}`;
}
