import type { Subresource } from "../resources/resource-type.ts";
import type { ResourceTypes } from "../resources/resource-types.ts";

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
}

/** A kind that is only answered and never stored, such as TokenReview. */
export type ReviewKind = Pick<ServedResource, "group" | "kind" | "plural" | "namespaced">;

/** A group with its versions, the preferred one first. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: readonly { readonly version: string; readonly resources: readonly ServedResource[] }[];
}

/** Everything that is served, by group and version: the core group first, the others by name. */
export function servedGroups(types: ResourceTypes, reviews: readonly ReviewKind[]): ServedGroup[] {
  const resources: ServedResource[] = [...types.all(), ...reviews.map(servedReview)];
  const names = [...new Set(resources.map(({ group }) => group))].sort();
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

function servedReview({ group, kind, plural, namespaced }: ReviewKind): ServedResource {
  const names = { group, version: "v1", kind, plural, singular: kind.toLowerCase(), namespaced };
  return { ...names, shortNames: [], categories: [], verbs: ["create"], subresources: [] };
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
