import { isDnsLabel, isDnsSubdomain } from "@kindling/core-spec";

/**
 * The namespace of a service account that may upload for it.
 *
 * @param username as a TokenReview gives it: `system:serviceaccount:NAMESPACE:NAME`, and nothing before, between or after
 * (apiserver, pkg/authentication/serviceaccount, `SplitUsername`)
 * @param names of the accounts that may upload
 */
export function submitterNamespace(username: string, names: readonly string[]): string | undefined {
  const [system, kind, namespace = "", name = "", ...rest] = username.split(":");
  if (system !== "system" || kind !== "serviceaccount" || rest.length > 0) return undefined;
  return isDnsLabel(namespace) && isDnsSubdomain(name) && names.includes(name) ? namespace : undefined;
}
