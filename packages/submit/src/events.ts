import type { UploadProgress } from "@kindling/staging-client";
import type { Diagnosis, PodState } from "@kindling/diagnosis";
import type { PlannedApplication } from "./plan/submission-plan.ts";

/** What happens in the course of a submission, for whoever shows it. */
export type SubmissionEvent =
  /** Something worth knowing that is no error. */
  | { readonly type: "notice"; readonly message: string }
  | { readonly type: "uploading"; readonly source: string; readonly destination: string }
  /** How far the upload to the staging server is; some ten times a second. */
  | { readonly type: "staging"; readonly progress: UploadProgress }
  /** The objects are there. `existed` tells that an earlier submission with the same id made them. */
  | {
      readonly type: "submitted";
      readonly application: Application;
      readonly existed: boolean;
      /** The driver pod as it is at first. */
      readonly state: PodState;
    }
  /** The driver pod's state changed. */
  | { readonly type: "state"; readonly application: Application; readonly state: PodState }
  /** A line of the driver's log. */
  | { readonly type: "log"; readonly line: string }
  | { readonly type: "finished"; readonly application: Application; readonly state: PodState | undefined }
  /** What keeps the application from going on, or made it fail: when that changes, and behind `finished`. */
  | { readonly type: "diagnosis"; readonly application: Application; readonly diagnosis: Diagnosis };

/** An application in the cluster, by the names that the other commands take. */
export interface Application extends PlannedApplication {
  /** The uid of the driver pod: another pod of its name is another application. */
  readonly driverPodUid: string;
}
