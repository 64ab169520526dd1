/*
 * Buffers for reading from disk. Measured with 1 GiB from the page cache to a local client: 64 KiB chunks cost 1.1
 * CPU-s, 512 KiB 0.5, 1 MiB a tenth less than that, because every chunk is read in another thread. A buffer that is used
 * again also saves the page faults of a new one. But two large buffers for each of a thousand slow readers would be two
 * gigabytes. So large buffers have a fixed budget, and only fast readers get them.
 */

export const SMALL_CHUNK: number = 64 * 1024;
export const LARGE_CHUNK: number = 1024 * 1024;

export interface BufferPool {
  /** A buffer for up to `wanted` bytes: large if that is worth it and the budget allows, else small. */
  take(wanted: number): Buffer;
  give(buffer: Buffer): void;
}

/** @param budgetBytes how much all large buffers together may take */
export function bufferPool(budgetBytes: number): BufferPool {
  const free: { small: Buffer[]; large: Buffer[] } = { small: [], large: [] };
  const mostLarge = Math.floor(budgetBytes / LARGE_CHUNK);
  let large = 0;
  return {
    take(wanted) {
      if (wanted <= SMALL_CHUNK || (free.large.length === 0 && large >= mostLarge)) {
        return free.small.pop() ?? Buffer.allocUnsafeSlow(SMALL_CHUNK);
      }
      const buffer = free.large.pop();
      if (buffer !== undefined) return buffer;
      large++;
      return Buffer.allocUnsafeSlow(LARGE_CHUNK);
    },
    give(buffer) {
      if (buffer.length === LARGE_CHUNK) free.large.push(buffer);
      // The buffers of a burst of readers are not kept for ever.
      else if (free.small.length < 64) free.small.push(buffer);
    },
  };
}
