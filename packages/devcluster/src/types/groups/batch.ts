import { jsonEqual } from "@kindling/kube-objects";
import {
  age,
  columns,
  type FieldError,
  humanDuration,
  invalidValue,
  required,
  type ResourceDefinition,
  validateLabels,
} from "@kindling/api-server";
import { type Job, JOB_NAME, JOB_UID } from "../../objects/batch.ts";
import { isTrue } from "../../objects/conditions.ts";
import { selectorText } from "../../objects/selector-text.ts";
import { validatePodSpec } from "../../validation/pod/pod-spec.ts";
import { setPodSpecDefaults } from "../defaults/pod-defaults.ts";

/** Jobs. Those that index their pods, or have policies for failures and success, are not served here. */
export const jobs: ResourceDefinition = {
  group: "batch",
  kind: "Job",
  categories: ["all"],
  status: true,
  columns: columns(
    "Name | Status | Completions | Duration | Age | Containers* | Images* | Selector*",
    (object, now) => {
      const job = object as Job;
      const containers = job.spec.template.spec.containers ?? [];
      return [
        job.metadata.name,
        stateOf(job),
        `${job.status.succeeded ?? 0}/${job.spec.completions ?? job.spec.parallelism ?? 1}`,
        durationOf(job, now),
        age(job.metadata.creationTimestamp, now),
        containers.map(({ name }) => name).join(","),
        containers.map(({ image = "" }) => image).join(","),
        selectorText(job.spec.selector ?? {}),
      ];
    },
  ),
  rules: {
    generation: true,
    setDefaults: (object) => setJobDefaults(object as Job),
    prepareCreate: (object) => {
      const job = object as Job;
      job.status = {};
      if (job.spec.manualSelector !== true) selectOwnPods(job);
    },
    validate: (object) => validateJob(object as Job),
    validateUpdate: ({ next, current }) => [...validateJob(next as Job), ...frozen(next as Job, current as Job)],
    selectableFields: (object) => ({ "status.successful": String((object as Partial<Job>).status?.succeeded ?? 0) }),
  },
};

function setJobDefaults({ spec }: Job): void {
  setPodSpecDefaults(spec.template.spec);
  // Without both, it is a single pod (pkg/apis/batch/v1/defaults.go).
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
}

/** Pods are found by the uid of their Job (pkg/registry/batch/job/strategy.go, `generateSelector`). */
function selectOwnPods({ metadata, spec }: Job): void {
  const { uid, name } = metadata;
  const old = { "controller-uid": uid, "job-name": name };
  spec.template.metadata.labels = { ...spec.template.metadata.labels, [JOB_UID]: uid, [JOB_NAME]: name, ...old };
  spec.selector = { matchLabels: { [JOB_UID]: uid } };
}

function stateOf({ spec, status, metadata }: Job): string {
  if (isTrue(status.conditions, "Complete")) return "Complete";
  if (isTrue(status.conditions, "Failed")) return "Failed";
  if (metadata.deletionTimestamp !== undefined) return "Terminating";
  if (spec.suspend === true) return "Suspended";
  return "Running";
}

function durationOf({ status: { startTime, completionTime } }: Job, now: number): string {
  if (startTime === undefined) return "";
  const end = completionTime === undefined ? now : Date.parse(completionTime);
  return humanDuration(end - Date.parse(startTime));
}

function validateJob({ spec }: Job): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of [
    "parallelism",
    "completions",
    "backoffLimit",
    "activeDeadlineSeconds",
    "ttlSecondsAfterFinished",
  ] as const) {
    const value = spec[name];
    if (value !== undefined && value < 0)
      errors.push(invalidValue(`spec.${name}`, value, "must be greater than or equal to 0"));
  }
  const { restartPolicy } = spec.template.spec;
  errors.push(...validateLabels(spec.template.metadata.labels, "spec.template.metadata.labels"));
  errors.push(...validatePodSpec(spec.template.spec, "spec.template.spec"));
  if (restartPolicy === "Always")
    errors.push(required("spec.template.spec.restartPolicy", 'valid values: "OnFailure", "Never"'));
  return errors;
}

function frozen(next: Job, current: Job): FieldError[] {
  const parts = ["selector", "template"] as const;
  return parts.flatMap((name) =>
    jsonEqual(next.spec[name], current.spec[name])
      ? []
      : [invalidValue(`spec.${name}`, next.spec[name] ?? null, "field is immutable")],
  );
}
