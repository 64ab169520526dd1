import type { KubeObject } from "@kindling/kube-objects";
import { objectAt } from "../../json/fields.ts";
import { withoutToken } from "../../checks/pod-policy.ts";

/** The set with pods that have no token of their service account, unless executors may have one. */
export function setWithoutToken(set: KubeObject, driver: KubeObject): KubeObject {
  const spec = objectAt(set, "spec");
  const template = objectAt(spec, "template");
  const pod: KubeObject = { ...set, spec: objectAt(template, "spec") };
  const { spec: bare } = withoutToken(pod, pod, driver);
  return { ...set, spec: { ...spec, template: { ...template, spec: bare ?? {} } } };
}
