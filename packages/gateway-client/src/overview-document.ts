import type { Overview } from "./overview.ts";

/** The version of the overview that is known here. */
export const OVERVIEW_VERSION = "gateway.kindling/v1";

/**
 * The answer of `/api/overview`. New members are added without a new version; readers ignore unknown members. If a member is
 * removed, or its meaning changes, the version changes.
 */
export interface OverviewDocument extends Overview {
  readonly apiVersion: typeof OVERVIEW_VERSION;
  readonly kind: "Overview";
}

/** An overview with its version. */
export function overviewDocument(overview: Overview): OverviewDocument {
  return { apiVersion: OVERVIEW_VERSION, kind: "Overview", ...overview };
}
