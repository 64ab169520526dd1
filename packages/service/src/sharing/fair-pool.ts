/**
 * Something that clients share. A client may take more while it holds at most `factor` times what is free (the dynamic
 * threshold of Choudhury and Hahne, 1998): with a factor of 2 one client alone gets two thirds, two get two fifths each, and
 * a newcomer always finds some.
 */
export interface FairPool {
  /** @returns a function that gives it back; `undefined` if the client has its share, or if not enough is left */
  take(client: string, amount?: number): (() => void) | undefined;
  /** Whether `take` would succeed. */
  hasRoomFor(client: string, amount?: number): boolean;
  readonly held: number;
}

export function fairPool({ total, factor }: { readonly total: number; readonly factor: number }): FairPool {
  // Clients that hold nothing are not remembered, because their number has no limit.
  const holdings = new Map<string, number>();
  let held = 0;

  function hasRoomFor(client: string, amount = 1): boolean {
    const free = total - held;
    // The amount is compared before its last unit is taken, so that a single unit can be taken, too.
    return amount <= free && (holdings.get(client) ?? 0) + amount - 1 < factor * (free - amount + 1);
  }

  function give(client: string, amount: number): void {
    held -= amount;
    const left = (holdings.get(client) ?? 0) - amount;
    if (left > 0) holdings.set(client, left);
    else holdings.delete(client);
  }

  return {
    take(client, amount = 1) {
      if (!hasRoomFor(client, amount)) return undefined;
      held += amount;
      holdings.set(client, (holdings.get(client) ?? 0) + amount);
      let given = false;
      return () => {
        if (!given) give(client, amount);
        given = true;
      };
    },
    hasRoomFor,
    get held() {
      return held;
    },
  };
}
