import type { Outside } from "@kindling/outside";

/** What an upload asks of the world besides the files themselves. */
export type UploadOutside = Pick<Outside, "clock" | "random" | "env">;
