export { type EventFile, eventFiles } from "./event-files.ts";
export {
  type RecorderState,
  type RecorderUploads,
  recorderUploads,
  RefusedError,
  type UploadOptions,
} from "./recorder-uploads.ts";
export { mirror, type MirrorOptions, mirrorOnce } from "./mirror/mirror.ts";
export { listeningAt } from "./is-listening.ts";
export { ship, type ShipOptions } from "./ship.ts";
