const GROUP = "scheduling.volcano.sh";

/** The part of Volcano's installation that submissions need: a kind that accepts any fields. */
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
