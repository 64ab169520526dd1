import { jsonEqual } from "@kindling/kube-objects";
import {
  age,
  type ResourceDefinition,
  columns,
  type Columns,
  type FieldError,
  invalidValue,
  required,
  type ResourceRules,
  selectorFromSpec,
  validateLabels,
} from "@kindling/api-server";
import { type Deployment, type StatefulSet, type Workload, selectorOf } from "../../objects/apps.ts";
import type { PodSpec } from "../../objects/pod.ts";
import { selectorText } from "../../objects/selector-text.ts";
import { validatePodSpec } from "../../validation/pod/pod-spec.ts";
import { setPodSpecDefaults } from "../defaults/pod-defaults.ts";

const SCALE = {
  name: "scale",
  verbs: ["get", "patch", "update"],
  kind: { group: "autoscaling", version: "v1", kind: "Scale" },
};

/** Deployments. */
export const deployments: ResourceDefinition = {
  group: "apps",
  kind: "Deployment",
  shortNames: ["deploy"],
  categories: ["all"],
  status: true,
  subresources: [SCALE],
  columns: workloadColumns(
    "Name | Ready | Up-to-date | Available | Age | Containers* | Images* | Selector*",
    ({ spec, status }) => [
      `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      status.updatedReplicas ?? 0,
      status.availableReplicas ?? 0,
    ],
    true,
  ),
  rules: workloadRules((workload) => {
    const { strategy } = (workload as Deployment).spec;
    strategy.type ??= "RollingUpdate";
    if (strategy.type !== "RollingUpdate") return;
    strategy.rollingUpdate = { maxUnavailable: "25%", maxSurge: "25%", ...strategy.rollingUpdate };
  }),
};

/** Replica sets. */
export const replicaSets: ResourceDefinition = {
  group: "apps",
  kind: "ReplicaSet",
  shortNames: ["rs"],
  categories: ["all"],
  status: true,
  subresources: [SCALE],
  columns: workloadColumns(
    "Name | Desired:integer | Current:integer | Ready:integer | Age | Containers* | Images* | Selector*",
    ({ spec, status }) => [spec.replicas ?? 0, status.replicas ?? 0, status.readyReplicas ?? 0],
    true,
  ),
  rules: {
    ...workloadRules(() => undefined),
    selectableFields: (object) => ({ "status.replicas": String((object as Partial<Workload>).status?.replicas ?? 0) }),
  },
};

/** Stateful sets. */
export const statefulSets: ResourceDefinition = {
  group: "apps",
  kind: "StatefulSet",
  shortNames: ["sts"],
  categories: ["all"],
  status: true,
  subresources: [SCALE],
  columns: workloadColumns(
    "Name | Ready | Age | Containers* | Images*",
    ({ spec, status }) => [`${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`],
    false,
  ),
  rules: workloadRules((workload) => {
    const { spec } = workload as StatefulSet;
    spec.updateStrategy.type ??= "RollingUpdate";
    if (spec.updateStrategy.type === "RollingUpdate") spec.updateStrategy.rollingUpdate ??= { partition: 0 };
    spec.persistentVolumeClaimRetentionPolicy = {
      whenDeleted: "Retain",
      whenScaled: "Retain",
      ...spec.persistentVolumeClaimRetentionPolicy,
    };
    for (const claim of spec.volumeClaimTemplates ?? []) {
      claim.status.phase ??= "Pending";
      claim.apiVersion = "v1";
      claim.kind = "PersistentVolumeClaim";
    }
  }),
};

function workloadColumns(
  text: string,
  middle: (workload: Workload) => (string | number)[],
  selector: boolean,
): Columns {
  return columns(text, (object, now) => {
    const workload = object as Workload;
    const containers = workload.spec.template.spec.containers ?? [];
    return [
      workload.metadata.name,
      ...middle(workload),
      age(workload.metadata.creationTimestamp, now),
      containers.map(({ name }) => name).join(","),
      containers.map(({ image = "" }) => image).join(","),
      ...(selector ? [selectorText(selectorOf(workload)) || "<none>"] : []),
    ];
  });
}

function workloadRules(setDefaults: (workload: Workload) => void): Partial<ResourceRules> {
  return {
    generation: true,
    setDefaults: (object) => {
      const workload = object as Workload;
      setPodSpecDefaults(workload.spec.template.spec);
      setDefaults(workload);
    },
    prepareCreate: (object) => {
      const empty = object.kind === "Deployment" ? {} : { replicas: 0 };
      object["status"] = object.kind === "StatefulSet" ? { ...empty, availableReplicas: 0 } : empty;
    },
    validate: (object) => validateWorkload(object as Workload),
    validateUpdate: ({ next, current }) => [
      ...validateWorkload(next as Workload),
      ...frozenSelector(next as Workload, current as Workload),
    ],
  };
}

function validateWorkload(workload: Workload): FieldError[] {
  const { spec } = workload;
  const errors: FieldError[] = [];
  const replicas = spec.replicas ?? 0;
  if (replicas < 0) errors.push(invalidValue("spec.replicas", replicas, "must be greater than or equal to 0"));
  const selector = spec.selector ?? null;
  const labels = spec.template.metadata.labels;
  if (selector === null) errors.push(required("spec.selector"));
  else if (Object.keys(selector).length === 0) {
    errors.push(invalidValue("spec.selector", {}, `empty selector is invalid for ${workload.kind.toLowerCase()}`));
  }
  if (selector === null || !selectorFromSpec(selectorOf(workload))(labels)) {
    errors.push(invalidValue("spec.template.metadata.labels", labels, "`selector` does not match template `labels`"));
  }
  errors.push(...validateLabels(labels, "spec.template.metadata.labels"));
  // Kubernetes does not validate the pods of a stateful set until they are created, with their own names
  // (pkg/apis/apps/validation, ValidatePodTemplateSpecForStatefulSet).
  if (workload.kind !== "StatefulSet") errors.push(...validatePodSpec(spec.template.spec, "spec.template.spec"));
  if (spec.template.spec.restartPolicy !== "Always") errors.push(onlyAlways(spec.template.spec));
  return errors;
}

function onlyAlways({ restartPolicy }: PodSpec): FieldError {
  return {
    reason: "FieldValueNotSupported",
    field: "spec.template.spec.restartPolicy",
    message: `Unsupported value: ${JSON.stringify(restartPolicy)}: supported values: "Always"`,
  };
}

function frozenSelector(next: Workload, current: Workload): FieldError[] {
  if (jsonEqual(next.spec.selector, current.spec.selector)) return [];
  return [invalidValue("spec.selector", next.spec.selector, "field is immutable")];
}
