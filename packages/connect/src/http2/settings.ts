import { ERROR, FLAG, FRAME, frame, Http2Error, LARGEST_WINDOW, LONGEST_PAYLOAD, USUAL_WINDOW } from "./frame.ts";

/** Numbers of settings (RFC 9113, 6.5.2). */
export const SETTING = {
  ENABLE_PUSH: 2,
  MAX_CONCURRENT_STREAMS: 3,
  INITIAL_WINDOW_SIZE: 4,
  MAX_FRAME_SIZE: 5,
  MAX_HEADER_LIST_SIZE: 6,
} as const;

const ENTRY_BYTES = 6;
const MOST_ENTRIES = 32;
const LARGEST_FRAME = 2 ** 24 - 1;

/** What the other side asks for, as far as anything here follows it. */
export interface PeerSettings {
  /** How much of a call it takes at first, bytes. */
  readonly initialWindow: number;
  /** How many calls at once it takes. */
  readonly concurrentStreams: number;
}

/** What holds until the other side has said something else. */
export const USUAL_SETTINGS: PeerSettings = {
  initialWindow: USUAL_WINDOW,
  concurrentStreams: Number.POSITIVE_INFINITY,
};

export function settingsFrame(settings: readonly (readonly [setting: number, value: number])[]): Buffer {
  const payload = Buffer.alloc(settings.length * ENTRY_BYTES);
  for (const [index, [setting, value]] of settings.entries()) {
    payload.writeUInt16BE(setting, index * ENTRY_BYTES);
    payload.writeUInt32BE(value, index * ENTRY_BYTES + 2);
  }
  return frame(FRAME.SETTINGS, FLAG.NONE, 0, payload);
}

/**
 * The settings after a frame of them.
 *
 * @throws Http2Error
 */
export function readSettings(payload: Buffer, before: PeerSettings): PeerSettings {
  if (payload.length % ENTRY_BYTES !== 0) throw new Http2Error(ERROR.FRAME_SIZE_ERROR, "settings have half an entry");
  if (payload.length > MOST_ENTRIES * ENTRY_BYTES)
    throw new Http2Error(ERROR.ENHANCE_YOUR_CALM, `settings have more than ${MOST_ENTRIES} entries`);
  let { initialWindow, concurrentStreams } = before;
  for (let at = 0; at < payload.length; at += ENTRY_BYTES) {
    const value = payload.readUInt32BE(at + 2);
    switch (payload.readUInt16BE(at)) {
      case SETTING.INITIAL_WINDOW_SIZE:
        if (value > LARGEST_WINDOW) throw new Http2Error(ERROR.FLOW_CONTROL_ERROR, "a window is larger than 2 GiB");
        initialWindow = value;
        break;
      case SETTING.MAX_CONCURRENT_STREAMS:
        concurrentStreams = value;
        break;
      case SETTING.ENABLE_PUSH:
        if (value > 1) throw new Http2Error(ERROR.PROTOCOL_ERROR, "ENABLE_PUSH is neither 0 nor 1");
        break;
      case SETTING.MAX_FRAME_SIZE:
        if (value < LONGEST_PAYLOAD || value > LARGEST_FRAME)
          throw new Http2Error(ERROR.PROTOCOL_ERROR, "MAX_FRAME_SIZE is out of its range");
        break;
      default:
      // Others ask for something that is not used here: tables of headers, long headers.
    }
  }
  return { initialWindow, concurrentStreams };
}
