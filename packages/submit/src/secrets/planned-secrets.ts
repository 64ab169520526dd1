import type { Redactor } from "@kindling/core-spec";
import { holdsSmallFiles } from "@kindling/steps";
import type { SubmissionPlan } from "../plan/submission-plan.ts";
import { learnSecrets, type Redaction } from "./redact-object.ts";
import { secretsBy } from "./redact.ts";

/** Makes the secrets of the planned objects known, and returns how to remove them from what is shown. */
export function hidePlanned({ objects, configuration }: SubmissionPlan, secrets: Redactor): Redaction {
  const { preResources, pod, resources } = objects;
  const { entries } = configuration;
  const others = [...preResources, ...resources].filter((object) => !holdsSmallFiles(object));
  learnSecrets([pod, ...others], { isSecret: secretsBy(entries, true), secrets });
  return { isSecret: secretsBy(entries), secrets };
}
