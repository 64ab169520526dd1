import { SpoolRoom } from "../../src/spool/spool-room.ts";
import { backgroundClock } from "@kindling/outside";

const ignore = (): void => undefined;

/** A disk without a limit. */
export const ENDLESS_ROOM: SpoolRoom = new SpoolRoom({
  ...{ folder: "/nowhere", most: undefined, clock: backgroundClock, onFull: ignore },
  log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
});
