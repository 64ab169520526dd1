/** The version of what `kindling list` and `kindling status` give to programs; docs/applications.md has its promise. */
const API_VERSION = "applications.kindling/v1";

/** A document that says what it is, as a list of Kubernetes' objects does. */
export interface ListDocument<T> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly items: readonly T[];
}

/** @param kind what programs go by: it names what the items have */
export function listDocument<T>(
  kind: "ApplicationList" | "ApplicationReportList",
  items: readonly T[],
): ListDocument<T> {
  return { apiVersion: API_VERSION, kind, items };
}
