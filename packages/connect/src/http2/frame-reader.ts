import {
  ERROR,
  FLAG,
  FRAME,
  type Frame,
  type FrameHead,
  HEAD_BYTES,
  Http2Error,
  LONGEST_PAYLOAD,
  withoutPadding,
} from "./frame.ts";
import type { Lease, Piece } from "./read-buffers.ts";

/** A part of a call's data, as it came. */
export interface DataPart {
  readonly stream: number;
  readonly piece: Piece;
  /** How much of the windows it takes: padding counts as well. */
  readonly counted: number;
  /** Whether it is the end of its frame. */
  readonly endsFrame: boolean;
  /** Whether nothing follows it in its call. */
  readonly endsStream: boolean;
}

export interface FrameReceiver {
  /** A frame that is not of data. */
  frame(frame: Frame): void;
  data(part: DataPart): void;
}

const NOTHING = Buffer.alloc(0);

/**
 * Cuts the bytes of a connection into frames. Data is handed on as it comes, without waiting for the rest of its frame, and
 * without being copied.
 */
export class FrameReader {
  readonly #receiver: FrameReceiver;
  /** The beginning of something that has not come as a whole. */
  #kept: Buffer = NOTHING;
  /** The frame of data whose payload is being read. */
  #data: FrameHead | undefined;
  #dataLeft = 0;
  #lease: Lease | undefined;

  constructor(receiver: FrameReceiver) {
    this.#receiver = receiver;
  }

  /**
   * @param lease of the chunk's memory, if it is used again afterwards: data is handed on with a use of it, and the payload of
   *   other frames is only there for the time of the call
   * @throws Http2Error, also what the receiver throws
   */
  push(chunk: Buffer, lease?: Lease): void {
    const isWhole = this.#kept.length === 0;
    // Two chunks that are put together have memory of their own.
    this.#lease = isWhole ? lease : undefined;
    let rest = isWhole ? chunk : Buffer.concat([this.#kept, chunk]);
    this.#kept = NOTHING;
    for (;;) {
      const after = this.#data === undefined ? this.#frame(rest) : this.#part(this.#data, rest);
      if (after === undefined) break;
      rest = after;
    }
    if (rest.length > 0) this.#kept = Buffer.from(rest);
  }

  /** @returns what follows the frame; `undefined` if it has not come as a whole */
  #frame(bytes: Buffer): Buffer | undefined {
    if (bytes.length < HEAD_BYTES) return undefined;
    const length = bytes.readUIntBE(0, 3);
    if (length > LONGEST_PAYLOAD)
      throw new Http2Error(ERROR.FRAME_SIZE_ERROR, `a frame of ${length} bytes is longer than was agreed`);
    const type = bytes.readUInt8(3);
    const flags = bytes.readUInt8(4);
    const head = { type, flags, stream: bytes.readUInt32BE(5) & 0x7f_ff_ff_ff };
    if (type === FRAME.DATA && (flags & FLAG.PADDED) === 0) {
      this.#data = head;
      this.#dataLeft = length;
      return bytes.subarray(HEAD_BYTES);
    }
    const end = HEAD_BYTES + length;
    if (bytes.length < end) return undefined;
    const frame = { ...head, payload: bytes.subarray(HEAD_BYTES, end) };
    if (type === FRAME.DATA)
      this.#receiver.data({
        ...{ stream: head.stream, piece: this.#pieceOf(withoutPadding(frame)), counted: length },
        ...{ endsFrame: true, endsStream: endsStream(head) },
      });
    else this.#receiver.frame(frame);
    return bytes.subarray(end);
  }

  #part(head: FrameHead, bytes: Buffer): Buffer | undefined {
    if (bytes.length === 0 && this.#dataLeft > 0) return undefined;
    const part = bytes.length > this.#dataLeft ? bytes.subarray(0, this.#dataLeft) : bytes;
    this.#dataLeft -= part.length;
    const endsFrame = this.#dataLeft === 0;
    if (endsFrame) this.#data = undefined;
    this.#receiver.data({
      ...{ stream: head.stream, piece: this.#pieceOf(part), counted: part.length },
      ...{ endsFrame, endsStream: endsFrame && endsStream(head) },
    });
    return bytes.subarray(part.length);
  }

  #pieceOf(bytes: Buffer): Piece {
    return { bytes, release: this.#lease?.use() };
  }
}

function endsStream({ flags }: FrameHead): boolean {
  return (flags & FLAG.END_STREAM) !== 0;
}
