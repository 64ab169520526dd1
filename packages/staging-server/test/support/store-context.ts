import { systemClock, systemRandom } from "@kindling/outside";
import type { StoreContext } from "../../src/stores/store-driver.ts";

/** The context for opening a store: this process's clock, short pauses between attempts, and no listeners. */
export function storeContext(changes: Partial<StoreContext> = {}): StoreContext {
  return {
    clock: systemClock,
    random: { ...systemRandom(), fraction: () => 0.01 },
    env: {},
    descriptors: {
      connections: 100,
      uploads: 32,
      downloads: 64,
      unflushed: 8,
      documents: 16,
      admin: 4,
      watches: 0,
    },
    readBufferBytes: 256 * 1024,
    onLost: () => undefined,
    onDamage: () => undefined,
    ...changes,
  };
}
