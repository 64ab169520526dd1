import { fillPlaces } from "@kindling/steps";
import { checkSizes } from "./check-sizes.ts";
import type { BundleValues } from "./dependency-step.ts";
import type { SubmissionPlan } from "./submission-plan.ts";

/**
 * Puts the bundle that a staging server made of the plan's files into the finished plan. The result is the same plan that
 * planning would give with a known bundle. A plan without staged files stays as it is.
 *
 * @throws KindlingError `OBJECT_INVALID` if an object becomes too large
 */
export function fillBundle(plan: SubmissionPlan, bundle: BundleValues): SubmissionPlan {
  const { staging, objects } = plan;
  if (staging === undefined) return plan;
  const { server, ca, places } = staging;
  const preResources = fillPlaces(objects.preResources, places, { ...bundle, server, ca });
  const filled = { ...objects, preResources };
  checkSizes(filled);
  return { ...plan, objects: filled };
}
