import { createHash } from "node:crypto";
import type { Profile } from "../profiles/profile.ts";
import type { User } from "../users/user.ts";

/** A session as its client sees it. */
export interface Session {
  readonly profile: Profile;
  readonly user: User;
  readonly sessionId: string;
  readonly queue: string | undefined;
}

/**
 * Tells drivers apart: sessions with the same key share one. It is a hash, because it is the value of a label, and users' names
 * may have any characters.
 */
export function driverKey({ profile, user, sessionId, queue }: Session): string {
  const { name, sharing } = profile;
  const owner = sharing === "all" ? [] : sharing === "user" ? [user.name] : [user.name, sessionId];
  return hashed(JSON.stringify([name, queue ?? "", ...owner]));
}

/** A user's name as the value of a label. */
export function userKey(user: string): string {
  return hashed(user);
}

function hashed(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 40);
}
