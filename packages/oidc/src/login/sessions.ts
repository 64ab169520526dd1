import type { Clock, Random } from "@kindling/outside";
import type { ReviewedUser } from "@kindling/service";

/** The people who are signed in. They are kept in memory: after a restart of the service they sign in again. */
export interface Sessions {
  /** @returns the session's id, which is a secret */
  begin(user: ReviewedUser): string;
  userOf(id: string): ReviewedUser | undefined;
  end(id: string): void;
}

/** More people do not look at one page; the ones who have not signed in for longest are forgotten. */
const MOST = 10_000;

export function sessions(
  { clock, random }: { readonly clock: Clock; readonly random: Random },
  seconds: number,
): Sessions {
  const known = new Map<string, { readonly user: ReviewedUser; readonly until: number }>();
  return {
    begin(user) {
      const id = Buffer.from(random.bytes(32)).toString("base64url");
      known.set(id, { user, until: clock.monotonic() + seconds * 1000 });
      const [oldest] = known.keys();
      if (known.size > MOST && oldest !== undefined) known.delete(oldest);
      return id;
    },
    userOf(id) {
      const session = known.get(id);
      if (session !== undefined && session.until > clock.monotonic()) return session.user;
      known.delete(id);
      return undefined;
    },
    end: (id) => void known.delete(id),
  };
}
