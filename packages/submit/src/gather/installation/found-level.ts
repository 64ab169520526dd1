import { NAMESPACE, POD_SECURITY, POD_SECURITY_LABEL, POD_SECURITY_LEVELS } from "@kindling/steps";
import type { NamespaceLabels } from "./namespace-labels.ts";

type Entries = Readonly<Record<string, string>>;

/**
 * The entries for the level of the Pod Security Standards that a namespace enforces. An unknown level counts as none: the API
 * server would then enforce `restricted`, but nobody can use a label that it refuses to store.
 */
export function podSecurityEntries(labels: NamespaceLabels | undefined): Entries {
  const label = labels?.[POD_SECURITY_LABEL];
  const level = POD_SECURITY_LEVELS.find((known) => known === label);
  return level === undefined || level === "privileged" ? {} : { [POD_SECURITY.key]: level };
}

/**
 * The notice about pods that change because of what the cluster says; none if pods stay as they are, or if the submission itself
 * says so.
 */
export function podSecurityNotice(entries: Entries, own: Entries): string | undefined {
  if (own[POD_SECURITY.key] !== undefined || entries[POD_SECURITY.key] !== "restricted") return undefined;
  const namespace = entries[NAMESPACE.key] ?? "default";
  return `pod security: namespace ${namespace} admits restricted pods only, so driver and executors are made like that`;
}
