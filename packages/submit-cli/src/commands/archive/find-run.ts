import { isKindlingError, KindlingError, quotedName } from "@kindling/core-spec";
import type { Run } from "@kindling/recorder-client";
import { type ApplicationName, parseApplicationName } from "@kindling/submit";
import type { OpenArchive } from "./open-archive.ts";

/** A run that a user names. */
export interface WantedRun extends ApplicationName {
  /** How many runs with this name before the latest one: `daily~1` is the one before it. */
  readonly back: number;
}

/**
 * Reads `name`, `namespace:name`, or such a name with `~1` for the run before the latest one.
 *
 * @throws KindlingError `ARGUMENT_INVALID`
 */
export function parseRunName(text: string): WantedRun {
  const [, name = text, back = "0"] = /^(.+)~(\d{1,4})$/.exec(text) ?? [];
  return { ...parseApplicationName(name), back: Number(back) };
}

/** An attempt of an application is a run of its own. */
export interface WantedAttempt {
  readonly attempt?: number | undefined;
  /** The uid of a driver that is not meant. */
  readonly butUid?: string | undefined;
}

/**
 * The run that is meant, among those that are kept.
 *
 * @throws KindlingError `OBJECT_NOT_FOUND`; RecorderError
 */
export async function findRun(
  { recorder, namespace: own }: OpenArchive,
  { namespace = own, name, back }: WantedRun,
  { attempt, butUid }: WantedAttempt = {},
): Promise<Run> {
  let left = back;
  let count = 0;
  for await (const run of recorder.runs({ namespace, name }, back + PAGE)) {
    if (run.uid === butUid) continue;
    count++;
    if (attempt !== undefined && run.attempt !== attempt) continue;
    if (left === 0) return run;
    left--;
  }
  const what = attempt === undefined ? "" : `attempt ${attempt} of `;
  const kept = count === 0 ? "" : `; ${count} ${count === 1 ? "run is" : "runs are"} kept with this name`;
  throw new KindlingError(
    "OBJECT_NOT_FOUND",
    `nothing is kept of ${what}${quotedName(name)} in namespace ${namespace}${kept}`,
    { hint: `kindling history -n ${namespace} shows what is kept` },
  );
}

const PAGE = 20;

/** For errors of a search: what is not in the cluster may be kept, and the other way round. */
export function ifMissing(error: unknown): undefined {
  if (isKindlingError(error) && error.code === "OBJECT_NOT_FOUND") return undefined;
  throw error;
}
