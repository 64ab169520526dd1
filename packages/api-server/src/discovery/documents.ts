import type { ServedGroup, ServedResource } from "./served-resources.ts";

/** `/api`: the versions of the core group. */
export function apiVersions(address: string): object {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: address }],
  };
}

/** `/apis`: the groups besides the core one. */
export function groupList(groups: readonly ServedGroup[]): object {
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.filter(({ name }) => name !== "").map(groupEntry) };
}

/** `/apis/<group>`. */
export function groupDocument(group: ServedGroup): object {
  return { kind: "APIGroup", apiVersion: "v1", ...groupEntry(group) };
}

function groupEntry({ name, versions }: ServedGroup): object {
  const entries = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: entries, preferredVersion: entries[0] };
}

/** `/api/v1`, `/apis/<group>/<version>`: the resources of a version. */
export function resourceList(groupVersion: string, resources: readonly ServedResource[]): object {
  return {
    kind: "APIResourceList",
    ...(groupVersion === "v1" ? {} : { apiVersion: "v1" }),
    groupVersion,
    resources: resources.flatMap(listEntries),
  };
}

function listEntries(resource: ServedResource): object[] {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = resource;
  return [
    {
      name: plural,
      singularName: singular,
      namespaced,
      kind,
      verbs,
      ...(shortNames.length === 0 ? {} : { shortNames }),
      ...(categories.length === 0 ? {} : { categories }),
    },
    ...sortedSubresources(resource).map((part) => ({
      name: `${plural}/${part.name}`,
      singularName: "",
      namespaced,
      ...(part.kind === undefined || part.kind.group === resource.group
        ? { kind: part.kind?.kind ?? kind }
        : { group: part.kind.group, version: part.kind.version, kind: part.kind.kind }),
      verbs: part.verbs,
    })),
  ];
}

function sortedSubresources({ subresources }: ServedResource): ServedResource["subresources"] {
  return [...subresources].sort((a, b) => (a.name < b.name ? -1 : 1));
}
