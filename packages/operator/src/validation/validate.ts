import { harmlessText, quotedName, withoutUriSecrets } from "@kindling/core-spec";
import { isSubmitterLocal, isUriText, NO_RESOURCE } from "@kindling/steps";
import { deniedKeys } from "./denied-keys.ts";
import { closedUriIn, uriRefusal, type OpenFolder } from "./operator-files.ts";
import type { ScheduledSparkApplication, SparkApplication, SparkApplicationSpec } from "@kindling/spark-application";
import { nameFaults } from "./name-faults.ts";
import { isAtLeastMajor } from "./semantic-version.ts";
import { sizeFaults } from "./spec-size.ts";

export interface ValidateOptions {
  /** A folder of the operator's own disk, absolute, whose files applications may name; undefined for none. */
  readonly openFolder?: string | undefined;
}

/**
 * Why an application is not run; empty if it may run. First the reasons of stock, in its words and its order
 * (kubeflow/spark-operator v2.5.2, internal/webhook/sparkapplication_validator.go; stock reports only the first), then
 * the reasons of this operator alone: a spec that is too large, a value that would read the operator's own disk, cluster
 * or credentials, and a mode in which the driver is not a pod of its own.
 */
export function validate(application: SparkApplication, { openFolder }: ValidateOptions): readonly string[] {
  const { metadata, spec } = application;
  const tooLarge = sizeFaults(spec);
  // A spec that is too large is not checked any further.
  if (tooLarge.length > 0) return tooLarge;
  return [
    ...nameFaults("SparkApplication", metadata.name),
    ...templateFaults(spec),
    ...nodeSelectorFaults(spec),
    ...driverIngressFaults(spec),
    ...deniedKeys(spec, { namespace: metadata.namespace, openFolder }),
    ...modeFaults(spec),
    ...fileFaults(spec, openFolder),
  ];
}

/**
 * Why a schedule is not followed: the reasons of stock (internal/webhook/scheduledsparkapplication_validator.go), and the
 * keys that only this operator denies. Each run checks the rest of the template.
 */
export function validateScheduled(
  { metadata, spec }: ScheduledSparkApplication,
  { openFolder }: ValidateOptions,
): readonly string[] {
  return [
    ...nameFaults("ScheduledSparkApplication", metadata.name),
    ...deniedKeys(spec.template, { namespace: metadata.namespace, openFolder }),
  ];
}

function templateFaults({ driver, executor, sparkVersion }: SparkApplicationSpec): string[] {
  const isTemplated = driver.template !== undefined || executor.template !== undefined;
  return isTemplated && !isAtLeastMajor(sparkVersion, 3)
    ? ["pod template feature requires Spark version 3.0.0 or higher"]
    : [];
}

function nodeSelectorFaults({ nodeSelector, driver, executor }: SparkApplicationSpec): string[] {
  const isOfRole = driver.nodeSelector !== undefined || executor.nodeSelector !== undefined;
  return nodeSelector !== undefined && isOfRole
    ? ["node selector cannot be defined at both SparkApplication and Driver/Executor"]
    : [];
}

function driverIngressFaults({ driverIngressOptions = [] }: SparkApplicationSpec): string[] {
  const ports = new Set<number>();
  const formats = new Set<string>();
  return driverIngressOptions.flatMap(({ servicePort, ingressURLFormat: format = "" }) => {
    // The spelling is stock's.
    if (servicePort === undefined) return ["DriverIngressOptions has nill ServicePort"];
    if (ports.has(servicePort)) return [`DriverIngressOptions has duplicate ServicePort: ${servicePort}`];
    ports.add(servicePort);
    if (format === "") return ["DriverIngressOptions has empty IngressURLFormat"];
    if (formats.has(format)) return [`DriverIngressOptions has duplicate IngressURLFormat: ${harmlessText(format)}`];
    formats.add(format);
    return [];
  });
}

function modeFaults({ mode = "cluster" }: SparkApplicationSpec): string[] {
  return mode === "cluster"
    ? []
    : [
        `mode "${mode}" is not supported: the driver would run inside the operator; set mode to cluster, or leave it out`,
      ];
}

const FILE_LISTS = ["jars", "files", "pyFiles", "archives"] as const;

function fileFaults({ mainApplicationFile, deps = {} }: SparkApplicationSpec, openFolder: OpenFolder): string[] {
  const named = [
    ...(mainApplicationFile === NO_RESOURCE ? [] : [{ field: "mainApplicationFile", value: mainApplicationFile }]),
    ...FILE_LISTS.flatMap((list) => (deps[list] ?? []).map((value) => ({ field: `deps.${list}`, value }))),
  ];
  return named.flatMap(({ field, value }) => {
    const closed = closedUriIn(value, openFolder);
    if (closed === undefined) return noUriFaults(field, value);
    const shown = quotedName(withoutUriSecrets(closed, "***"));
    return [`${field} ${shown} is not allowed: ${uriRefusal(openFolder)}`];
  });
}

/** Spark reads a text that is no URI as a path, here of the operator's disk. Most often it is an unfilled placeholder. */
function noUriFaults(field: string, list: string): string[] {
  return list
    .split(",")
    .map((uri) => uri.trim())
    .filter((uri) => uri !== "" && !isSubmitterLocal(uri) && !isUriText(uri))
    .map(
      (uri) =>
        `${field} ${quotedName(withoutUriSecrets(uri, "***"))} is no URI: ` +
        "replace placeholders such as <BUCKET>, and write characters that a URI cannot have as %XX",
    );
}
