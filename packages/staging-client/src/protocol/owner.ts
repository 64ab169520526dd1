/**
 * What a bundle belongs to: it is kept while one of these runs. Counterpart of the old fork's `StagedResourcesOwner`,
 * whose only type was `Pod`.
 */
export interface StagedResourcesOwner {
  readonly ownerNamespace: string;
  /** All of these labels mark an owner; there is at least one. */
  readonly ownerLabels: Readonly<Record<string, string>>;
  /**
   * `Pod`, or the name of a custom resource that the server's configuration declares (an application's own resource,
   * such as `SparkApplication`).
   */
  readonly ownerType: string;
}

export const POD_OWNER = "Pod";

/** Limits of the protocol; a server need not accept more. */
export const OWNER_LIMITS = { labels: 64 } as const;

const LABEL_NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const LABEL_PREFIX = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const NAMESPACE = /^(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Whether a text can name a namespace (a DNS label, RFC 1123). */
export function isNamespace(text: string): boolean {
  return NAMESPACE.test(text);
}

/** Why an owner cannot be one, in words; `undefined` if it can. Labels follow Kubernetes' own syntax. */
export function ownerFault(owner: StagedResourcesOwner): string | undefined {
  if (!isNamespace(owner.ownerNamespace)) return "ownerNamespace is not the name of a namespace";
  if (!/^[A-Za-z][A-Za-z0-9]{0,62}$/.test(owner.ownerType)) return "ownerType is not the name of a type";
  const labels = Object.entries(owner.ownerLabels);
  if (labels.length === 0) return "ownerLabels is empty, so no owner of the files could be found";
  if (labels.length > OWNER_LIMITS.labels) return `ownerLabels has more than ${OWNER_LIMITS.labels} labels`;
  for (const [key, value] of labels) {
    const slash = key.indexOf("/");
    const prefixFits = slash === -1 || LABEL_PREFIX.test(key.slice(0, slash));
    if (!prefixFits || !LABEL_NAME.test(key.slice(slash + 1))) return "ownerLabels has a key that no label can have";
    if (value !== "" && !LABEL_NAME.test(value)) return "ownerLabels has a value that no label can have";
  }
  return undefined;
}
