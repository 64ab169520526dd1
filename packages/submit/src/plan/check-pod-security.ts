import { KindlingError, type Pod, type SparkConf } from "@kindling/core-spec";
import { POD_SECURITY, podSecurityViolations, type PodSecurityLevel } from "@kindling/steps";

const MOST_NAMED = 3;

/** The pods of an application, as far as they are known before it is submitted. */
export interface PodsToCheck {
  readonly driver: Pod;
  /** Called only if there is a level to check. */
  readonly executor: () => Pod;
}

/**
 * Refuses pods that the application's level of the Pod Security Standards does not allow. Without this, the driver would be
 * refused when its files are uploaded already, and executors only when the driver runs.
 *
 * @throws KindlingError `CONF_CONFLICT` that names the fields
 */
export function checkPodSecurity(conf: SparkConf, { driver, executor }: PodsToCheck): void {
  const level = conf.get(POD_SECURITY);
  if (level === undefined || level === "privileged") return;
  refuse(level, "the driver's pod", podSecurityViolations(driver, level));
  refuse(level, "the pods of executors", podSecurityViolations(executor(), level));
}

function refuse(level: PodSecurityLevel, what: string, violations: readonly string[]): void {
  if (violations.length === 0) return;
  const more = violations.length > MOST_NAMED ? `; and ${violations.length - MOST_NAMED} more` : "";
  const named = `${violations.slice(0, MOST_NAMED).join("; ")}${more}`;
  throw new KindlingError("CONF_CONFLICT", `pod security ${level} does not allow ${what}: ${named}`, {
    hint: `change these fields in the pod template or in the configuration; or set ${POD_SECURITY.key}=privileged, if the namespace admits such pods`,
  });
}
