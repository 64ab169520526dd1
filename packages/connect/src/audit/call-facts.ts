import type { Profile } from "../profiles/profile.ts";
import type { User } from "../users/user.ts";

/** What is known about a call. More becomes known while it is read. */
export interface CallFacts {
  /** The name of its method; `other` for one that is not served. */
  readonly method: string;
  /** The address that the call came from. */
  readonly client: string;
  /** What the client calls itself. */
  readonly userAgent: string | undefined;
  /** `undefined` for a stranger. */
  user: User | undefined;
  profile: Profile | undefined;
  sessionId: string | undefined;
}
