import type { UploadProgress } from "@kindling/staging-client";
import type { Diagnosis, PodState } from "@kindling/diagnosis";
import type { PlannedApplication } from "./plan/submission-plan.ts";

/** What happens during a submission, for code that shows it. */
export type SubmissionEvent =
  /** Something that the user should know, but that is no error. */
  | { readonly type: "notice"; readonly message: string }
  | { readonly type: "uploading"; readonly source: string; readonly destination: string }
  /** The progress of the upload to the staging server, about ten times a second. */
  | { readonly type: "staging"; readonly progress: UploadProgress }
  /** The objects exist. `existed` is true if an earlier submission with the same id created them. */
  | {
      readonly type: "submitted";
      readonly application: Application;
      readonly existed: boolean;
      /** The first state of the driver pod. */
      readonly state: PodState;
    }
  /** The driver pod's state changed. */
  | { readonly type: "state"; readonly application: Application; readonly state: PodState }
  /** A line of the driver's log. */
  | { readonly type: "log"; readonly line: string }
  | { readonly type: "finished"; readonly application: Application; readonly state: PodState | undefined }
  /** What keeps the application from going on, or made it fail: sent when it changes, and after `finished`. */
  | { readonly type: "diagnosis"; readonly application: Application; readonly diagnosis: Diagnosis };

/** An application in the cluster, by the names that the other commands accept. */
export interface Application extends PlannedApplication {
  /** The uid of the driver pod: a different pod with the same name is a different application. */
  readonly driverPodUid: string;
}
