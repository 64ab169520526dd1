import type { Namespace } from "../../objects/core.ts";
import { type ResourceDefinition, columns, dnsLabel, namedCells, type Verb } from "@kindling/api-server";

const VERBS: readonly Verb[] = ["create", "delete", "get", "list", "patch", "update", "watch"];
const NAME_LABEL = "kubernetes.io/metadata.name";

/** Namespaces. Their deletion waits for a finalizer in the spec, which the controller removes when they are empty. */
export const namespaces: ResourceDefinition = {
  kind: "Namespace",
  shortNames: ["ns"],
  namespaced: false,
  verbs: VERBS,
  status: true,
  columns: columns(
    "Name | Status | Age",
    namedCells((object) => {
      const { status } = object as Namespace;
      return [status.phase ?? ""];
    }),
  ),
  rules: {
    nameRule: dnsLabel,
    setDefaults: (object) => {
      const namespace = object as Namespace;
      const { metadata } = namespace;
      if (metadata.name !== undefined && metadata.name !== "") {
        metadata.labels = { ...metadata.labels, [NAME_LABEL]: metadata.name };
      }
      namespace.status.phase ??= "Active";
    },
    prepareCreate: (object) => {
      const namespace = object as Namespace;
      namespace.metadata.labels = { ...namespace.metadata.labels, [NAME_LABEL]: namespace.metadata.name };
      namespace.status = { phase: "Active" };
      namespace.spec.finalizers = [...new Set([...(namespace.spec.finalizers ?? []), "kubernetes"])];
    },
    heldDeletion: (object) => {
      const { spec, status } = object as Namespace;
      if ((spec.finalizers ?? []).length === 0) return undefined;
      return { ...object, status: { ...status, phase: "Terminating" } };
    },
    prepareUpdate: ({ next, current }) => {
      next["spec"] = current["spec"] ?? {};
    },
    selectableFields: (object) => ({ "status.phase": (object as Partial<Namespace>).status?.phase ?? "" }),
  },
};
