import type { SparkApplication } from "@kindling/spark-application";
import { fingerprintOf, submittedSpec, type SubmittedSpec } from "../../reconcile/submission-id.ts";

/** What was submitted, by the object's uid: from the submission's id, or from a first look at what stock submitted. */
export interface SubmittedSpecs {
  of(application: SparkApplication): SubmittedSpec | undefined;
  forget(uid: string): void;
}

/**
 * Ids of stock's say nothing about the spec: the one that is there when such a submission is first seen counts as what
 * was submitted.
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
