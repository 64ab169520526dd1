import { KindlingError } from "@kindling/core-spec";
import type { SubmitRequest } from "@kindling/submit";

interface RefusedKey {
  /** A key, or a prefix of keys followed by `*`. */
  readonly pattern: string;
  readonly why: string;
}

const OWN_CONNECTION = "the service has its own way to its one cluster";

/**
 * Keys that would affect the service's own machine, cluster or credentials. `@kindling/submit` refuses files of its disk
 * (`access: "nothing"`).
 */
const REFUSED: readonly RefusedKey[] = [
  { pattern: "spark.master", why: OWN_CONNECTION },
  { pattern: "spark.remote", why: OWN_CONNECTION },
  { pattern: "spark.kubernetes.context", why: OWN_CONNECTION },
  { pattern: "spark.kubernetes.trust.certificates", why: OWN_CONNECTION },
  { pattern: "spark.kubernetes.authenticate.submission.*", why: OWN_CONNECTION },
  { pattern: "spark.kubernetes.submission.connectionTimeout", why: OWN_CONNECTION },
  { pattern: "spark.kubernetes.submission.requestTimeout", why: OWN_CONNECTION },
  { pattern: "spark.kindling.steps", why: "the service's submit.steps says which steps run in it" },
  { pattern: "spark.kindling.staging.*", why: "no file of the service's disk is staged" },
  { pattern: "spark.kindling.installation", why: "the service itself knows its installation" },
  { pattern: "spark.submit.deployMode", why: "applications are submitted in cluster mode" },
];

/**
 * Refuses keys that a client of a service may not set.
 *
 * @param denied further keys that the service's operator forbids
 * @throws KindlingError `ACCESS_DENIED` that names the key
 */
export function refuseKeys(conf: SubmitRequest["conf"], denied: readonly string[]): void {
  const own = denied.map((pattern) => ({ pattern, why: "the service's submit.deniedKeys says so" }));
  for (const key of Object.keys(conf ?? {})) {
    const refused = [...REFUSED, ...own].find(({ pattern }) => matches(pattern, key));
    if (refused === undefined) continue;
    throw new KindlingError("ACCESS_DENIED", `${key} may not be set here: ${refused.why}`, { hint: "leave it out" });
  }
}

function matches(pattern: string, key: string): boolean {
  return pattern.endsWith("*") ? key.startsWith(pattern.slice(0, -1)) : key === pattern;
}
