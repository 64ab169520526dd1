import { KindlingError, type Pod } from "@kindling/core-spec";
import type { SubmitRequest } from "@kindling/submit";
import { fromArguments } from "./from-arguments.ts";

/** The body of `POST /api/v1/submissions` after validation. */
export interface TypedSubmission {
  readonly application?: {
    readonly resource: string;
    readonly mainClass?: string;
    readonly arguments?: readonly string[];
  };
  readonly sparkSubmitArgs?: readonly string[];
  readonly submissionId?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly sparkVersion?: string;
  readonly proxyUser?: string;
  readonly conf?: Readonly<Record<string, string>>;
  readonly jars?: readonly string[];
  readonly files?: readonly string[];
  readonly archives?: readonly string[];
  readonly pyFiles?: readonly string[];
  readonly driverTemplate?: object;
  readonly executorTemplate?: object;
}

/**
 * Converts a body to a submission.
 *
 * @throws KindlingError `ARGUMENT_INVALID`, `UNSUPPORTED`
 */
export function fromTyped(body: TypedSubmission): SubmitRequest {
  const { application, sparkSubmitArgs, driverTemplate, executorTemplate, ...members } = body;
  const templates = {
    ...(driverTemplate !== undefined && { driverTemplate: podOf(driverTemplate) }),
    ...(executorTemplate !== undefined && { executorTemplate: podOf(executorTemplate) }),
  };
  if (sparkSubmitArgs !== undefined) {
    const { namespace, submissionId, ...others } = members;
    const [other] = application === undefined ? Object.keys(others) : ["application"];
    if (other !== undefined)
      throw new KindlingError("ARGUMENT_INVALID", `${other} and sparkSubmitArgs must not both be given`, {
        hint: "sparkSubmitArgs hold the whole submission; leave out one of the two",
      });
    const given = {
      ...(namespace !== undefined && { namespace }),
      ...(submissionId !== undefined && { submissionId }),
    };
    return { ...fromArguments(sparkSubmitArgs), ...given, ...templates };
  }
  if (application === undefined) {
    throw new KindlingError("ARGUMENT_INVALID", "no application is named: member application is missing", {
      hint: "application.resource names the file, or sparkSubmitArgs what would follow spark-submit",
    });
  }
  const { conf, ...others } = members;
  return { ...others, ...(conf !== undefined && { conf: withoutMode(conf) }), application, ...templates };
}

/** Configurations that are sent to several services name the deploy mode. This service has only one mode. */
function withoutMode(conf: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { "spark.submit.deployMode": mode, ...others } = conf;
  return mode === "cluster" ? others : conf;
}

/** A template is always a pod, so its kind may be missing; its content is read where it is used. */
export function podOf(template: object): Pod {
  return { ...template, apiVersion: "v1", kind: "Pod" };
}
