import type { KubeObject } from "@kindling/kube-objects";
import type { KubeEvent, ResourceQuota, ServiceAccount } from "../../objects/core.ts";
import {
  age,
  type ResourceDefinition,
  columns,
  type FieldError,
  invalidValue,
  namedCells,
  qualifiedName,
  type SelectableFields,
} from "@kindling/api-server";
import { validateAmount } from "../../validation/pod/resources.ts";

/** Service accounts. */
export const serviceAccounts: ResourceDefinition = {
  kind: "ServiceAccount",
  shortNames: ["sa"],
  subresources: [
    { name: "token", verbs: ["create"], kind: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" } },
  ],
  columns: columns(
    "Name | Secrets | Age",
    namedCells((object) => {
      const { secrets = [] } = object as ServiceAccount;
      return [secrets.length];
    }),
  ),
  rules: { returnsDeleted: true },
};

/** Events: what happened to other objects. */
export const events: ResourceDefinition = {
  kind: "Event",
  shortNames: ["ev"],
  columns: columns(
    "Last Seen | Type | Reason | Object | Subobject* | Source* | Message | First Seen* | Count* | Name*",
    (object, now) => {
      const event = object as KubeEvent;
      const { involvedObject: about, source } = event;
      const first = event.firstTimestamp ?? event.eventTime;
      const last = event.lastTimestamp ?? first;
      return [
        age(last, now),
        event.type ?? "",
        event.reason ?? "",
        `${(about.kind ?? "").toLowerCase()}/${about.name ?? ""}`,
        about.fieldPath ?? "",
        [source.component ?? event.reportingComponent, source.host ?? ""].filter((part) => part !== "").join(", "),
        (event.message ?? "").trim(),
        age(first, now),
        String(event.count ?? 1),
        event.metadata.name,
      ];
    },
  ),
  rules: {
    createOnUpdate: true,
    selectableFields: eventFields,
  },
};

/** Quotas of a namespace. */
export const resourceQuotas: ResourceDefinition = {
  kind: "ResourceQuota",
  shortNames: ["quota"],
  status: true,
  columns: columns(
    "Name | Request | Limit | Age",
    namedCells((object) => {
      const { status } = object as ResourceQuota;
      const request: string[] = [];
      const limit: string[] = [];
      for (const name of Object.keys(status.hard ?? {}).sort()) {
        const text = `${name}: ${status.used?.[name] ?? "0"}/${status.hard?.[name] ?? "0"}`;
        (name.startsWith("limits") ? limit : request).push(text);
      }
      return [request.join(", "), limit.join(", ")];
    }),
  ),
  rules: {
    returnsDeleted: true,
    prepareCreate: (object) => {
      object["status"] = {};
    },
    validate: (object) => validateQuota(object as ResourceQuota),
    validateUpdate: ({ next }) => validateQuota(next as ResourceQuota),
  },
};

function eventFields(object: KubeObject): SelectableFields {
  const { involvedObject: about = {}, reason, source, type, reportingComponent } = object as Partial<KubeEvent>;
  return {
    "involvedObject.kind": about.kind ?? "",
    "involvedObject.namespace": about.namespace ?? "",
    "involvedObject.name": about.name ?? "",
    "involvedObject.uid": about.uid ?? "",
    "involvedObject.apiVersion": about.apiVersion ?? "",
    "involvedObject.resourceVersion": about.resourceVersion ?? "",
    "involvedObject.fieldPath": about.fieldPath ?? "",
    reason: reason ?? "",
    reportingComponent: reportingComponent ?? "",
    source: source?.component ?? reportingComponent ?? "",
    type: type ?? "",
  };
}

function validateQuota({ spec }: ResourceQuota): FieldError[] {
  return Object.entries(spec.hard ?? {}).flatMap(([name, text]) => {
    const path = `spec.hard[${name}]`;
    return [...qualifiedName(name).map((why) => invalidValue(path, name, why)), ...validateAmount(name, text, path)];
  });
}
