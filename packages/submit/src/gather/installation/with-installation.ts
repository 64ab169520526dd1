import { allKeys, SCHEDULER, SCHEDULER_CA_FILE, SCHEDULER_CA_MAP, SCHEDULER_URI } from "@kindling/steps";
import { isConfPrefix } from "@kindling/core-spec";
import { STAGING_URI } from "../../keys/staging-keys.ts";
import { SUBMISSION_KEYS } from "../../keys/submission-keys.ts";
import { FILE_UPLOAD_PATH } from "../../keys/upload-keys.ts";
import type { Installation } from "./installation.ts";

type Entries = Readonly<Record<string, string>>;

const STAGING_PLACE = /^spark\.kindling\.staging\.(?:uri|internalUri|serviceAccount|audience)$/;

/**
 * The part of an installation that has an effect: an entry is dropped if the configuration has the key, or an older name of
 * it. Entries that belong together are dropped together: if the configuration itself says where files go, or which component
 * creates executors, no entry of the installation about its own staging server or gateway is used.
 */
export function effectiveInstallation(installation: Installation, given: Entries): Installation {
  const own = new Set(Object.keys(given));
  const has = (key: string): boolean => namesOf(key).some((name) => own.has(name));
  const ownFiles = has(STAGING_URI.key) || has(FILE_UPLOAD_PATH.key);
  const isLeftOut = (key: string): boolean =>
    has(key) ||
    (ownFiles && STAGING_PLACE.test(key)) ||
    (given[SCHEDULER.key] === "native" && key.startsWith(`${SCHEDULER.key}.`)) ||
    (has(SCHEDULER_URI.key) && key.startsWith(`${SCHEDULER.key}.`)) ||
    (has(SCHEDULER_CA_FILE.key) && key === SCHEDULER_CA_MAP.key);
  const entries = Object.entries(installation.entries).filter(([key]) => !isLeftOut(key));
  return { ...installation, entries: Object.fromEntries(entries) };
}

/** Whether files go to the installation's staging server. */
export function isStagingServer({ entries }: Installation): boolean {
  return entries[STAGING_URI.key] !== undefined;
}

/** A key's own name, and its older names. */
function namesOf(key: string): readonly string[] {
  const declared = [...SUBMISSION_KEYS, ...allKeys()].find((one) => !isConfPrefix(one) && one.key === key);
  return declared === undefined || isConfPrefix(declared) ? [key] : [key, ...(declared.alternatives ?? [])];
}
