import { ERROR, FLAG, FRAME, type Frame, frame, Http2Error, LONGEST_PAYLOAD, withoutPadding } from "./frame.ts";

/** Headers as they were sent, before they are decoded. */
export interface HeaderBlock {
  readonly stream: number;
  readonly endsStream: boolean;
  readonly bytes: Buffer;
}

/** Puts the frames of headers together (RFC 9113, 4.3): between them, nothing else may come. */
export class HeaderBlocks {
  readonly #longest: number;
  #open: { readonly stream: number; readonly endsStream: boolean } | undefined;
  #parts: Buffer[] = [];
  #length = 0;

  /** @param longest most bytes of a block */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The call whose headers have not ended. */
  get openStream(): number | undefined {
    return this.#open?.stream;
  }

  /**
   * @param received HEADERS, or CONTINUATION of the call whose headers are open
   * @returns the block, when it is whole
   * @throws Http2Error
   */
  add(received: Frame): HeaderBlock | undefined {
    const { type, flags, stream } = received;
    this.#open ??= { stream, endsStream: (flags & FLAG.END_STREAM) !== 0 };
    const part = type === FRAME.HEADERS ? withoutPadding(received) : received.payload;
    this.#length += part.length;
    if (this.#length > this.#longest)
      throw new Http2Error(ERROR.ENHANCE_YOUR_CALM, `headers have more than ${this.#longest} bytes`);
    const isWhole = (flags & FLAG.END_HEADERS) !== 0;
    // The memory of a frame is used again after it.
    this.#parts.push(isWhole ? part : Buffer.from(part));
    if (!isWhole) return undefined;
    const block = { ...this.#open, bytes: Buffer.concat(this.#parts, this.#length) };
    this.#open = undefined;
    this.#parts = [];
    this.#length = 0;
    return block;
  }
}

/** The frames of a block of headers. */
export function headerFrames(stream: number, block: Buffer, isLast: boolean): Buffer {
  const end = isLast ? FLAG.END_STREAM : FLAG.NONE;
  if (block.length <= LONGEST_PAYLOAD) return frame(FRAME.HEADERS, FLAG.END_HEADERS | end, stream, block);
  const frames: Buffer[] = [];
  for (let at = 0; at < block.length; at += LONGEST_PAYLOAD) {
    const part = block.subarray(at, at + LONGEST_PAYLOAD);
    const ends = at + LONGEST_PAYLOAD >= block.length ? FLAG.END_HEADERS : FLAG.NONE;
    frames.push(
      at === 0 ? frame(FRAME.HEADERS, ends | end, stream, part) : frame(FRAME.CONTINUATION, ends, stream, part),
    );
  }
  return Buffer.concat(frames);
}
