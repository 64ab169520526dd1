import { ERROR, FLAG, FRAME, type Frame, type FrameHead, Http2Error } from "./frame.ts";

/** @throws Http2Error if the frame has another length, or is of the connection where it should be of a call, or reversed */
export function checkFrame(
  { stream, payload }: Frame,
  { ofConnection, length }: { readonly ofConnection?: boolean; readonly length?: number },
): void {
  if (ofConnection !== undefined && ofConnection !== (stream === 0))
    throw new Http2Error(ERROR.PROTOCOL_ERROR, "a frame of the connection names a call, or one of a call names none");
  if (length !== undefined && payload.length !== length)
    throw new Http2Error(ERROR.FRAME_SIZE_ERROR, "a frame has the wrong length");
}

/** The order of a connection's frames: settings come first, and nothing comes between the parts of headers. */
export class FrameOrder {
  #isGreeted = false;

  /**
   * @param open the call whose headers have not ended
   * @throws Http2Error
   */
  check({ type, flags, stream }: FrameHead, open: number | undefined): void {
    const continues = type === FRAME.CONTINUATION;
    if (open === undefined ? continues : !continues || stream !== open)
      throw new Http2Error(ERROR.PROTOCOL_ERROR, "headers are cut by another frame, or continued by none");
    if (this.#isGreeted) return;
    if (type !== FRAME.SETTINGS || (flags & FLAG.ACK) !== 0)
      throw new Http2Error(ERROR.PROTOCOL_ERROR, "a connection does not begin with settings");
    this.#isGreeted = true;
  }
}
