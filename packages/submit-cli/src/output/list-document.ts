/**
 * The version of the output of `kindling list` and `kindling status` for programs; docs/applications.md describes what is
 * promised.
 */
const API_VERSION = "applications.kindling/v1";

/** A document with its kind, like a list of Kubernetes objects. */
export interface ListDocument<T> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly items: readonly T[];
}

/** @param kind the kind of the list, for programs: it decides which fields the items have */
export function listDocument<T>(
  kind: "ApplicationList" | "ApplicationReportList",
  items: readonly T[],
): ListDocument<T> {
  return { apiVersion: API_VERSION, kind, items };
}
