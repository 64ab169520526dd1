/** The definition of a custom resource, as far as tests use it. */
export interface CustomResourceDefinition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string }[];
  };
}

export interface DefinedKind {
  readonly group: string;
  readonly version: string;
  readonly scope: "Cluster" | "Namespaced";
  readonly plural: string;
  readonly kind: string;
  /** Whether its status is a subresource; default: no. */
  readonly hasStatus?: boolean;
}

/** A kind that accepts any fields, where a test needs only a part of the installation of another project. */
export function definitionOf({
  group,
  version,
  scope,
  plural,
  kind,
  hasStatus = false,
}: DefinedKind): CustomResourceDefinition {
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, scope },
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [
        {
          ...{ name: version, served: true, storage: true },
          ...(hasStatus && { subresources: { status: {} } }),
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  };
  return definition;
}
