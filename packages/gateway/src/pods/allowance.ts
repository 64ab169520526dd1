import { isObject, type KubeObject, parseJson } from "@kindling/api-server";
import { SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION } from "@kindling/core-spec";

/**
 * What executors may have beside what their driver's pod has, as part of a pod's spec: whoever made the driver's pod has
 * written it there, and a driver cannot change its own annotations. What is no such thing allows nothing.
 */
export function allowanceOf({ metadata, ...driver }: KubeObject): KubeObject {
  return { ...driver, metadata, spec: specIn(metadata.annotations?.[SCHEDULER_EXECUTOR_ALLOWANCE_ANNOTATION]) };
}

function specIn(text: string | undefined): KubeObject["spec"] {
  if (text === undefined) return {};
  try {
    const spec = parseJson(text);
    return isObject(spec) ? spec : {};
  } catch {
    return {};
  }
}
