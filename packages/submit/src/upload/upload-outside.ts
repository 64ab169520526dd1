import type { Outside } from "@kindling/outside";

/** What an upload needs besides the files themselves. */
export type UploadOutside = Pick<Outside, "clock" | "random" | "env">;
