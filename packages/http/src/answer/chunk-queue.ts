/** Chunks that wait for a sink. */
export interface ChunkQueue {
  /** Bytes that wait. */
  readonly bytes: number;
  add(chunk: Buffer): void;
  /** Removes and returns all waiting chunks, in order. */
  take(): readonly Buffer[];
}

// A chunk takes some hundred bytes besides its own, and a peer may send them byte by byte.
const SMALL = 1024;
const GATHERED = 16 * 1024;

/** Small chunks are gathered into larger ones, so that waiting chunks take little more memory than their bytes. */
export function chunkQueue(): ChunkQueue {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let gathering: Buffer | undefined;
  let gathered = 0;

  function finishGathering(): void {
    if (gathering !== undefined) chunks.push(gathering.subarray(0, gathered));
    gathering = undefined;
    gathered = 0;
  }

  return {
    get bytes() {
      return bytes;
    },
    add(chunk) {
      bytes += chunk.length;
      if (chunk.length >= SMALL) {
        finishGathering();
        chunks.push(chunk);
        return;
      }
      if (gathered + chunk.length > GATHERED) finishGathering();
      gathering ??= Buffer.allocUnsafeSlow(GATHERED);
      gathered += chunk.copy(gathering, gathered);
    },
    take() {
      finishGathering();
      const taken = chunks;
      chunks = [];
      bytes = 0;
      return taken;
    },
  };
}
