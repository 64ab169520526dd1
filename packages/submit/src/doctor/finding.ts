import { isKindlingError, messageOf } from "@kindling/core-spec";
import { isKubeError } from "@kindling/kube";
import { clusterError } from "../cluster/cluster-error.ts";

/** How one thing is: a `warning` keeps nobody from submitting; what is `skipped` could not be looked at. */
export type CheckupState = "ok" | "warning" | "problem" | "skipped";

/** What one look at an installation found. */
export interface Checkup {
  /** What was looked at, the same words each time. */
  readonly check: string;
  readonly state: CheckupState;
  /** What was found, or what is wrong, in one line. */
  readonly detail: string;
  /** What to do about it. */
  readonly hint?: string;
}

/** What a look says, without the name of it. */
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

/** One look; an error made for the user is what it found. */
export async function look(check: string, body: () => Promise<Found>): Promise<Checkup> {
  try {
    return { check, ...(await body()) };
  } catch (error) {
    const shown = isKubeError(error) ? clusterError(error) : error;
    if (!isKindlingError(shown) || shown.code === "INTERRUPTED") throw shown;
    return { check, ...problem(messageOf(shown), shown.hint) };
  }
}

/** The same for something that a user need not be able to see. */
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
