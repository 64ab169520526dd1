import { dirname } from "node:path";
import type { ResolvedConfig } from "../config/localizer-config.ts";

/**
 * Directories that are not part of an image: processes with their environments, devices, and secrets such as the service
 * account's token (`/var/run/secrets`; `/var/run` is a link to `/run`).
 */
const OF_THE_SYSTEM = ["/proc", "/sys", "/dev", "/run", "/var/run"];

/** Where no link of an archive may lead: system directories, and the localizer's own volumes and secrets. */
export function closedPlaces({ roots, bundles, credentialsDir, terminationLog }: ResolvedConfig): readonly string[] {
  const secrets = [...bundles.values()].map(({ secretFile }) => dirname(secretFile));
  const own = [...roots, ...secrets, terminationLog, ...(credentialsDir === undefined ? [] : [credentialsDir])];
  return [...OF_THE_SYSTEM, ...own.filter((place) => place !== "/")];
}
