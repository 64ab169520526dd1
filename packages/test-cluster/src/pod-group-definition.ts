const GROUP = "scheduling.volcano.sh";

/** What Volcano's installation makes, as far as submissions need it: a kind of which anything may be said. */
export const POD_GROUP_DEFINITION: object = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `podgroups.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: { plural: "podgroups", singular: "podgroup", kind: "PodGroup", listKind: "PodGroupList" },
    versions: [
      {
        name: "v1beta1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};
