/** Randomness, as an argument, so that tests can have the same values each time. */
export interface Random {
  uuid(): string;
  bytes(count: number): Uint8Array;
  /** Uniform in [0, 1): for jitter, never for secrets. */
  fraction(): number;
}

const POOL = 4096;

/** The machine's randomness, read in larger pieces than needed: each piece is a system call. */
export function systemRandom(): Random {
  // Loaded at the first call: this takes longer than all the other work of a short command.
  const crypto = () => process.getBuiltinModule("node:crypto");
  let pool = new Uint8Array(0);
  let used = 0;
  return {
    uuid: () => crypto().randomUUID(),
    fraction: () => Math.random(),
    bytes(count) {
      if (count > POOL) return crypto().randomBytes(count);
      if (used + count > pool.length) {
        pool = crypto().randomBytes(POOL);
        used = 0;
      }
      used += count;
      return pool.slice(used - count, used);
    },
  };
}
