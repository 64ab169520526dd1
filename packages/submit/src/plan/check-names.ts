import {
  DNS_SUBDOMAIN_MAX_LENGTH,
  isDnsLabel,
  isDnsSubdomain,
  KindlingError,
  type Submission,
} from "@kindling/core-spec";
import { NAMESPACE, type DriverObjects } from "@kindling/steps";

const POD_NAME = "spark.kubernetes.driver.pod.name";

/**
 * Refuses names that no API server accepts, and names the keys that they come from. The server would report them without the
 * keys. For names in the request's path it would report nothing useful.
 *
 * @throws KindlingError `CONF_INVALID`
 */
export function checkNames({ conf, namespace }: Submission, { pod }: DriverObjects): void {
  if (!isDnsLabel(namespace)) {
    throw new KindlingError("CONF_INVALID", `${NAMESPACE.key}: "${namespace}" is not the name of a namespace`);
  }
  const name = pod.metadata?.name ?? "";
  if (isDnsSubdomain(name)) return;
  if (conf.raw(POD_NAME) !== undefined) {
    throw new KindlingError("CONF_INVALID", `${POD_NAME}: "${name}" is not the name of a pod`, {
      hint: "it may have lower case letters, digits, '-' and '.'",
    });
  }
  throw new KindlingError(
    "CONF_INVALID",
    `spark.app.name: it makes a driver pod's name of ${name.length} characters, and ${DNS_SUBDOMAIN_MAX_LENGTH} are allowed`,
    { hint: `give a shorter --name, or ${POD_NAME}` },
  );
}
