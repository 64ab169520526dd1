import { createHash } from "node:crypto";
import type { ResourceTypes } from "../resource-types.ts";
import type { Subresource } from "../resources/resource-type.ts";
import { REVIEWS } from "../resources/reviews.ts";

/** A resource as discovery describes it. */
export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
  /** Absent for what is not stored. */
  readonly storageVersionHash: string | undefined;
}

/** A group with its versions, the preferred one first. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: readonly { readonly version: string; readonly resources: readonly ServedResource[] }[];
}

// The order of the real server for its own groups; custom ones follow by name.
const GROUP_ORDER = [
  "",
  "apps",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "networking.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "storage.k8s.io",
  "apiextensions.k8s.io",
  "scheduling.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
];

/** All that is served, by group and version. */
export function servedGroups(types: ResourceTypes): ServedGroup[] {
  const resources = [...storedResources(types), ...reviewResources()];
  const names = [...new Set(resources.map(({ group }) => group))].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  return names.map((name) => {
    const own = resources.filter(({ group }) => group === name);
    const versions = [...new Set(own.map(({ version }) => version))].sort(compareVersions);
    return {
      name,
      versions: versions.map((version) => ({
        version,
        resources: own
          .filter((resource) => resource.version === version)
          .sort((a, b) => (a.plural < b.plural ? -1 : 1)),
      })),
    };
  });
}

function storedResources(types: ResourceTypes): ServedResource[] {
  return types.all().map((type) => ({ ...type, storageVersionHash: storageVersionHash(type) }));
}

function reviewResources(): ServedResource[] {
  return REVIEWS.map((review) => ({
    ...review,
    version: "v1",
    singular: review.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    verbs: ["create"],
    subresources: [],
    storageVersionHash: undefined,
  }));
}

function storageVersionHash({ group, version, kind }: { group: string; version: string; kind: string }): string {
  const digest = createHash("sha256").update(`${group}/${version}/${kind}`).digest();
  return digest.subarray(0, 8).toString("base64");
}

function rank(group: string): number {
  const index = GROUP_ORDER.indexOf(group);
  return index < 0 ? GROUP_ORDER.length : index;
}

const VERSION = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/** Stable before beta before alpha, newer before older, others by name (apimachinery, `version.CompareKubeAwareVersionStrings`). */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [versionRank(a), versionRank(b)];
  if (x === undefined || y === undefined) return x === y ? (a < b ? -1 : 1) : x === undefined ? 1 : -1;
  for (let index = 0; index < x.length; index += 1) {
    const difference = (y[index] ?? 0) - (x[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function versionRank(version: string): number[] | undefined {
  const match = VERSION.exec(version);
  if (match === null) return undefined;
  const stage = match[2] === undefined ? 2 : match[2] === "beta" ? 1 : 0;
  return [stage, Number(match[1]), Number(match[3] ?? 0)];
}
