import type { Overview } from "../overview/overview.ts";

/**
 * What `/api/overview` answers. Members are added without a new version; whoever reads it passes over what it does not
 * know. A member that goes, or that means something else, makes a new version.
 */
export interface OverviewDocument extends Overview {
  readonly apiVersion: "gateway.kindling/v1";
  readonly kind: "Overview";
}

export function overviewDocument(overview: Overview): OverviewDocument {
  return { apiVersion: "gateway.kindling/v1", kind: "Overview", ...overview };
}
