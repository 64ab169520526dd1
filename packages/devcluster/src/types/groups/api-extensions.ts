import type { CustomResourceDefinition } from "../../objects/custom-resource-definition.ts";
import type { ResourceDefinition } from "@kindling/api-server";
import { validateDefinition } from "../../validation/custom-resource-definition.ts";

/** Definitions of custom resources. `custom/` makes their types. */
export const customResourceDefinitions: ResourceDefinition = {
  group: "apiextensions.k8s.io",
  kind: "CustomResourceDefinition",
  shortNames: ["crd", "crds"],
  namespaced: false,
  status: true,
  rules: {
    generation: true,
    unconditionalUpdate: false,
    setDefaults: (object) => setDefinitionDefaults(object as CustomResourceDefinition),
    prepareCreate: (object) => {
      const definition = object as CustomResourceDefinition;
      const stored = (definition.spec.versions ?? []).filter(({ storage }) => storage).map(({ name }) => name);
      definition.status = { conditions: null, acceptedNames: { plural: "", kind: "" }, storedVersions: stored };
    },
    validate: (object) => validateDefinition(object as CustomResourceDefinition),
    validateUpdate: ({ next }) => validateDefinition(next as CustomResourceDefinition),
  },
};

function setDefinitionDefaults({ spec, status }: CustomResourceDefinition): void {
  const { names } = spec;
  if ((names.singular ?? "") === "") names.singular = names.kind.toLowerCase();
  if ((names.listKind ?? "") === "" && names.kind !== "") names.listKind = `${names.kind}List`;
  spec.conversion ??= { strategy: "None" };
  status.storedVersions ??= [];
}
