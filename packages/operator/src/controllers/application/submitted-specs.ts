import type { SparkApplication } from "@kindling/spark-application";
import { fingerprintOf, submittedSpec, type SubmittedSpec } from "../../application-states/submission-id.ts";

/**
 * The specs that were submitted, by the object's uid. A spec is known from the submission's id, or, if stock submitted
 * it, from the first time that it was seen.
 */
export interface SubmittedSpecs {
  of(application: SparkApplication): SubmittedSpec | undefined;
  forget(uid: string): void;
}

/**
 * Submission ids of stock say nothing about the spec. So the spec at the time when such a submission is first seen counts
 * as the submitted one.
 */
export function createSubmittedSpecs(): SubmittedSpecs {
  const seen = new Map<string, { readonly submissionId: string; readonly submitted: SubmittedSpec }>();
  return {
    of({ metadata, spec, status }) {
      const submissionId = status.submissionID ?? "";
      if (submissionId === "") return undefined;
      const said = submittedSpec(submissionId);
      if (said !== undefined) return said;
      const known = seen.get(metadata.uid);
      if (known?.submissionId === submissionId) return known.submitted;
      const submitted = { generation: metadata.generation, fingerprint: fingerprintOf(spec) };
      seen.set(metadata.uid, { submissionId, submitted });
      return submitted;
    },
    forget: (uid) => void seen.delete(uid),
  };
}
