import { isDnsLabel, isDnsSubdomain } from "@kindling/core-spec";

/**
 * The namespace of a service account that stands for those who may upload there.
 *
 * @param username as a TokenReview gives it: `system:serviceaccount:NAMESPACE:NAME`, and nothing before, between or
 * behind (apiserver, pkg/authentication/serviceaccount, `SplitUsername`)
 * @param names which accounts do
 */
export function submitterNamespace(username: string, names: readonly string[]): string | undefined {
  const [system, kind, namespace = "", name = "", ...rest] = username.split(":");
  if (system !== "system" || kind !== "serviceaccount" || rest.length > 0) return undefined;
  return isDnsLabel(namespace) && isDnsSubdomain(name) && names.includes(name) ? namespace : undefined;
}
