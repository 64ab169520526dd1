import { javaTrim } from "../units/java-text.ts";

/** The longest DNS label: a Service's name, a label's value, a host name. */
export const DNS_LABEL_MAX_LENGTH = 63;
/** The longest DNS subdomain: the name of most objects. */
export const DNS_SUBDOMAIN_MAX_LENGTH = 253;

function dnsCharacters(text: string): string {
  return javaTrim(text)
    .toLowerCase()
    .replace(/[^a-z0-9-]/gu, "-")
    .replace(/-+/g, "-");
}

/**
 * The prefix of the names of an application's objects (KubernetesConf.getResourceNamePrefix): the application's name
 * and a unique id, in the characters that names may have. A leading digit is replaced by `x`, as Spark does.
 */
export function resourceNamePrefix(appName: string, uniqueId: string): string {
  return dnsCharacters(`${appName}-${uniqueId}`)
    .replace(/^-/, "")
    .replace(/^[0-9]/, "x");
}

/** The value of the label `spark-app-name` (KubernetesConf.getAppNameLabel); empty if no character is allowed. */
export function appNameLabel(appName: string): string {
  return dnsCharacters(appName).slice(0, DNS_LABEL_MAX_LENGTH).replace(/^-/, "").replace(/-$/, "");
}

/** The name of a ConfigMap of configuration files (KubernetesClientUtils.configMapName), cut so that it is valid. */
export function configMapName(prefix: string): string {
  const suffix = "-conf-map";
  return prefix.slice(0, DNS_SUBDOMAIN_MAX_LENGTH - suffix.length) + suffix;
}

/** Whether a text is a DNS subdomain (RFC 1123), the rule for names of pods and most objects. */
export function isDnsSubdomain(name: string): boolean {
  return (
    name.length <= DNS_SUBDOMAIN_MAX_LENGTH &&
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name)
  );
}

/** Whether a text is a DNS label (RFC 1123), the rule for namespaces, containers and volumes. */
export function isDnsLabel(name: string): boolean {
  return name.length <= DNS_LABEL_MAX_LENGTH && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name);
}
