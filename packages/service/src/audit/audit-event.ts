import { harmlessText } from "@kindling/core-spec";

/** The version of the form of events. A change that a reader could notice, other than a new member, is a new version. */
export const AUDIT_API_VERSION = "audit.kindling/v1";

/** The services that write events. */
export type AuditComponent = "serve" | "gateway" | "operator" | "connect";

/**
 * `allow`: it was allowed, and done. `forbid`: somebody was refused. `error`: it was allowed, and could not be done.
 */
export type AuditDecision = "allow" | "forbid" | "error";

/** A decision that changes something, or refuses somebody. It has no text of a request's body. */
export interface AuditEvent {
  /** What was to be done: `submit`, `create`, `evict`. The page on audit has all of them. */
  readonly verb: string;
  readonly decision: AuditDecision;
  /** Why: one line. */
  readonly reason?: string | undefined;
  /** Who asked for it; absent for a stranger, and where the service itself decides. */
  readonly user?: AuditedUser | undefined;
  /** Where the request came from: the client first, then the proxy that is trusted. */
  readonly sourceIPs?: readonly string[] | undefined;
  /** What the client calls itself. */
  readonly userAgent?: string | undefined;
  readonly object?: AuditedObject | undefined;
  /** The id that the client got in a header of the answer. */
  readonly requestID?: string | undefined;
  /** How many events like this one the service itself has left out before it. */
  readonly omitted?: number | undefined;
}

export interface AuditedUser {
  readonly username: string;
  readonly groups: readonly string[];
  /** The id of the token that was shown, which is no secret. */
  readonly credentialID?: string | undefined;
  /** How the user was authenticated, if the service knows several ways: `kubernetes`, `oidc`. */
  readonly authentication?: string | undefined;
}

/** What a decision is about. */
export interface AuditedObject {
  readonly namespace?: string | undefined;
  /** Spark's id of the application; for an operator, the name of its SparkApplication. */
  readonly application?: string | undefined;
  /** A resource as in RBAC: `pods`, `pods/resize`, `sparkapplications`. */
  readonly resource?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  /** Of a driver for sessions of Spark Connect. */
  readonly profile?: string | undefined;
  /** The id of a session of Spark Connect. */
  readonly session?: string | undefined;
}

/** What the log adds to an event. */
export interface AuditStamp {
  readonly auditID: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly component: AuditComponent;
  /** How many events before this one could not be written. */
  readonly omitted: number;
}

const MOST_GROUPS = 100;
const MOST_AGENT_BYTES = 256;

/** The line of an event, with its end. Its members are always in this order; those without a value are left out. */
export function auditLine(
  { verb, decision, reason, user, sourceIPs, userAgent, object, requestID, omitted: leftOut = 0 }: AuditEvent,
  { auditID, time, component, omitted: unwritten }: AuditStamp,
): string {
  const omitted = unwritten + leftOut;
  const event = {
    apiVersion: AUDIT_API_VERSION,
    kind: "Event",
    auditID,
    time: new Date(time).toISOString(),
    component,
    verb: short(verb),
    decision,
    reason: short(reason),
    user: user && {
      username: short(user.username),
      groups: user.groups.slice(0, MOST_GROUPS).map((group) => short(group)),
      credentialID: short(user.credentialID),
      authentication: user.authentication,
    },
    sourceIPs: sourceIPs?.map((address) => short(address)),
    userAgent: short(userAgent, MOST_AGENT_BYTES),
    object: object && {
      namespace: short(object.namespace),
      application: short(object.application),
      resource: short(object.resource),
      name: short(object.name),
      uid: short(object.uid),
      profile: short(object.profile),
      session: short(object.session),
    },
    requestID: short(requestID),
    ...(omitted > 0 && { omitted }),
  };
  return `${JSON.stringify(event)}\n`;
}

/** Names and reasons come from others: they must not be endless, or control the terminal of somebody who reads them. */
function short(text: string): string;
function short(text: string | undefined, mostBytes?: number): string | undefined;
function short(text: string | undefined, mostBytes?: number): string | undefined {
  return text === undefined ? undefined : harmlessText(text, mostBytes);
}
