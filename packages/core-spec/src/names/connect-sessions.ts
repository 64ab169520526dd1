import { CONNECT_KEY_LABEL, CONNECT_PROFILE_LABEL, CONNECT_USER_ANNOTATION } from "./connect-names.ts";
import { SPARK_ROLE_EXECUTOR, SPARK_ROLE_LABEL } from "./labels.ts";

/** The sessions that a driver of kindling-connect is for. Plain data that JSON does not change. */
export type ConnectSessions = {
  /** The profile that the driver was made for. */
  readonly profile: string;
} & (
  | { readonly state: "waiting" }
  | {
      readonly state: "in-use";
      /** The user whose sessions they are, as the service knows them; missing if all users share the driver. */
      readonly user?: string;
    }
);

/** The sessions of a pod; `undefined` if kindling-connect has not made it. A template of executors may have the label, too. */
export function connectSessions({
  labels = {},
  annotations = {},
}: {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}): ConnectSessions | undefined {
  const profile = labels[CONNECT_PROFILE_LABEL];
  if (profile === undefined || labels[SPARK_ROLE_LABEL] === SPARK_ROLE_EXECUTOR) return undefined;
  if (labels[CONNECT_KEY_LABEL] === undefined) return { profile, state: "waiting" };
  const user = annotations[CONNECT_USER_ANNOTATION];
  return { profile, state: "in-use", ...(user !== undefined && { user }) };
}

/** For a column of a table: `small, of alice`. The names are as they were given. */
export function sessionsText(sessions: ConnectSessions): string {
  if (sessions.state === "waiting") return `${sessions.profile}, waits for a session`;
  return `${sessions.profile}, of ${sessions.user ?? "all users"}`;
}

/** For people who look at an application: `Spark Connect, profile small, of alice`. The names are as they were given. */
export function connectSessionsText(sessions: ConnectSessions): string {
  return `Spark Connect, profile ${sessionsText(sessions)}`;
}
