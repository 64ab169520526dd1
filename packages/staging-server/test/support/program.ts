import { fileURLToPath } from "node:url";

/** The command as it is published; it must have been built. */
export const PROGRAM: string = fileURLToPath(new URL("../../bin/kindling-staging-server.cjs", import.meta.url));
