import type { BlockList, BlockReference } from "../blocks/block-list.ts";
import { RemoteError } from "../remote-error.ts";

/** Blocks that a client has opened, to fetch them one by one. */
export interface Stream {
  readonly application: string;
  readonly executor: string;
  readonly blocks: BlockList;
}

interface State {
  readonly stream: Stream;
  readonly weight: number;
  nextChunk: number;
  failure: RemoteError | undefined;
}

/** A client opens one stream for each of its requests. A task has some five requests at once. */
const MOST_STREAMS = 1_000;
/** The weight of a stream besides its list. */
const STREAM_BYTES = 256;

/**
 * The open streams of a connection. Counterpart of `OneForOneStreamManager` (Spark 3.5.9, 4.1.1 and 4.3.0). It differs from
 * the older ones in that a stream belongs to the connection that opened it.
 */
export class Streams {
  readonly #streams = new Map<bigint, State>();
  readonly #changed: (bytes: number) => void;

  /** @param changed is told how many bytes more, or less, the streams hold */
  constructor(changed: (bytes: number) => void) {
    this.#changed = changed;
  }

  get count(): number {
    return this.#streams.size;
  }

  /** If there are too many, the one that was opened first is closed. */
  open(streamId: bigint, stream: Stream): void {
    const weight = stream.blocks.weight + STREAM_BYTES;
    this.#streams.set(streamId, { stream, weight, nextChunk: 0, failure: undefined });
    if (this.#streams.size > MOST_STREAMS) {
      const [oldest] = this.#streams.keys();
      if (oldest !== undefined) this.#close(oldest);
    }
    this.#changed(weight);
  }

  /**
   * Finds the next block of a stream. The stream is closed when its last block was found. If a block is not found, no other
   * block of the stream is: Spark's service would try the same block again for each further chunk.
   *
   * @throws RemoteError if there is no such stream, or it is not the turn of this chunk; what `find` throws
   */
  take<Found>(streamId: bigint, chunkIndex: number, find: (stream: Stream, block: BlockReference) => Found): Found {
    const state = this.#streams.get(streamId);
    if (state === undefined) {
      throw new RemoteError("stream", "java.lang.IllegalArgumentException", "Unknown stream ID.");
    }
    if (chunkIndex !== state.nextChunk) {
      throw streamError(`Received out-of-order chunk index ${chunkIndex} (expected ${state.nextChunk})`);
    }
    if (state.failure === undefined && !state.stream.blocks.hasNext) {
      throw streamError(`Requested chunk index beyond end ${chunkIndex}`);
    }
    state.nextChunk += 1;
    if (state.failure !== undefined) throw state.failure;
    try {
      const found = find(state.stream, state.stream.blocks.next());
      if (!state.stream.blocks.hasNext) this.#close(streamId);
      return found;
    } catch (error) {
      if (error instanceof RemoteError) state.failure = error;
      throw error;
    }
  }

  closeAll(): void {
    for (const streamId of this.#streams.keys()) this.#close(streamId);
  }

  #close(streamId: bigint): void {
    const state = this.#streams.get(streamId);
    if (state === undefined) return;
    this.#streams.delete(streamId);
    this.#changed(-state.weight);
  }
}

function streamError(message: string): RemoteError {
  return new RemoteError("stream", "java.lang.IllegalStateException", message);
}
