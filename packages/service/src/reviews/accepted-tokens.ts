/** Tokens that were accepted before, by their hash: they keep working while somebody else tries wrong ones. */
export interface AcceptedTokens {
  has(hash: string): boolean;
  add(hash: string): void;
}

/** @param most how many are remembered; those that were accepted longest ago are dropped first */
export function acceptedTokens(most: number): AcceptedTokens {
  const hashes = new Set<string>();
  return {
    has: (hash) => hashes.has(hash),
    add(hash) {
      hashes.delete(hash);
      hashes.add(hash);
      const [oldest] = hashes;
      if (hashes.size > most && oldest !== undefined) hashes.delete(oldest);
    },
  };
}
