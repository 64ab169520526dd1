import { isRecord } from "../plain-data.ts";

/** The defaults that an API server writes into fields that are compared as a whole. */
const DEFAULTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["spec.volumes[].azureDisk.cachingMode", "ReadWrite"],
  ["spec.volumes[].azureDisk.fsType", "ext4"],
  ["spec.volumes[].azureDisk.kind", "Shared"],
  ["spec.volumes[].iscsi.iscsiInterface", "default"],
  ["spec.volumes[].projected.sources[].podCertificate.maxExpirationSeconds", 86_400],
  ["spec.volumes[].projected.sources[].serviceAccountToken.expirationSeconds", 3600],
  ["spec.volumes[].rbd.keyring", "/etc/ceph/keyring"],
  ["spec.volumes[].rbd.pool", "rbd"],
  ["spec.volumes[].rbd.user", "admin"],
  ["spec.volumes[].scaleIO.fsType", "xfs"],
  ["spec.volumes[].scaleIO.storageMode", "ThinProvisioned"],
]);

/**
 * A text that is the same for values with the same meaning: in any order of members, and without defaults and empty values.
 *
 * @param place where the value is, without the numbers of lists, as `spec.volumes[].hostPath`
 */
export function comparedText(value: unknown, place: string): string {
  return JSON.stringify(plain(value, place)) ?? "";
}

function plain(value: unknown, place: string): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, `${place}[]`));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const inner = `${place}.${name}`;
    return saysNothing(member) || DEFAULTS.get(inner) === member ? [] : [[name, plain(member, inner)] as const];
  });
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function saysNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return true;
  return (isRecord(value) || Array.isArray(value)) && Object.keys(value).length === 0;
}
