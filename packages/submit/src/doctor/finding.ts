import { isKindlingError, messageOf } from "@kindling/core-spec";
import { isKubeError } from "@kindling/kube";
import { clusterError } from "../cluster/cluster-error.ts";

/** The state of one thing: with a `warning`, users can still submit; `skipped` means that it could not be examined. */
export type CheckupState = "ok" | "warning" | "problem" | "skipped";

/** The result of one check of an installation. */
export interface Checkup {
  /** What was checked, always in the same words. */
  readonly check: string;
  readonly state: CheckupState;
  /** The result or the problem, in one line. */
  readonly detail: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** The result of a check, without its name. */
export type Found = Omit<Checkup, "check">;

export function ok(detail: string): Found {
  return { state: "ok", detail };
}

export function skipped(detail: string): Found {
  return { state: "skipped", detail };
}

export function warning(detail: string, hint?: string): Found {
  return { state: "warning", detail, ...(hint !== undefined && { hint }) };
}

export function problem(detail: string, hint?: string): Found {
  return { state: "problem", detail, ...(hint !== undefined && { hint }) };
}

/** Runs one check. An error that is made for the user becomes its result. */
export async function look(check: string, body: () => Promise<Found>): Promise<Checkup> {
  try {
    return { check, ...(await body()) };
  } catch (error) {
    const shown = isKubeError(error) ? clusterError(error) : error;
    if (!isKindlingError(shown) || shown.code === "INTERRUPTED") throw shown;
    return { check, ...problem(messageOf(shown), shown.hint) };
  }
}

/** The same for something that a user may not be allowed to see. */
export async function ifVisible(body: () => Promise<Found>): Promise<Found> {
  try {
    return await body();
  } catch (error) {
    if (isKubeError(error) && error.kind === "status" && error.status === 403) {
      return skipped("you may not look at it");
    }
    throw error;
  }
}
