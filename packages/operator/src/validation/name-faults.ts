import { DNS_LABEL_MAX_LENGTH, quotedName } from "@kindling/core-spec";

const DNS_1035_LABEL = "[a-z]([-a-z0-9]*[a-z0-9])?";
const IS_DNS_1035_LABEL = new RegExp(`^${DNS_1035_LABEL}$`);
// The text of Kubernetes: k8s.io/apimachinery v0.32.5, pkg/util/validation.
const NO_DNS_1035_LABEL =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, " +
  `and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${DNS_1035_LABEL}')`;

/** A name becomes part of Services' names, which have to be DNS labels (RFC 1035). */
export function nameFaults(kind: string, name: string): string[] {
  const faults = [
    ...(name.length > DNS_LABEL_MAX_LENGTH ? [`must be no more than ${DNS_LABEL_MAX_LENGTH} characters`] : []),
    ...(IS_DNS_1035_LABEL.test(name) ? [] : [NO_DNS_1035_LABEL]),
  ];
  return faults.length === 0 ? [] : [`invalid ${kind} name ${quotedName(name)}: ${faults.join(", ")}`];
}
