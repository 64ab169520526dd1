import type { Overview } from "./overview.ts";

/** The version of what a gateway tells that is known here. */
export const OVERVIEW_VERSION = "gateway.kindling/v1";

/**
 * What `/api/overview` answers. Members are added without a new version; whoever reads it passes over what it does not
 * know. A member that goes, or that means something else, makes a new version.
 */
export interface OverviewDocument extends Overview {
  readonly apiVersion: typeof OVERVIEW_VERSION;
  readonly kind: "Overview";
}

/** An overview that says what it is. */
export function overviewDocument(overview: Overview): OverviewDocument {
  return { apiVersion: OVERVIEW_VERSION, kind: "Overview", ...overview };
}
