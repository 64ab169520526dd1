import type { Provenance } from "@kindling/core-spec";
import type { BundlePlaces, Dependency, DriverObjects } from "@kindling/steps";
import type { ConfigurationData } from "./plan-input.ts";
import type { Upload } from "./uploads.ts";

/** What a submission will do, as plain data: files to stage or copy, objects to create, a pod to follow. */
export interface SubmissionPlan {
  readonly application: PlannedApplication;
  /** Whether the names of the objects belong to this submission alone, so that an earlier call may have made them. */
  readonly once: boolean;
  /** Files that go to a staging server; their bundle is then filled into the plan by `fillBundle`. */
  readonly staging: StagingPlan | undefined;
  /** Files to copy, in order. */
  readonly uploads: readonly Upload[];
  readonly objects: DriverObjects;
  /** Which step set which field. */
  readonly provenance: Provenance;
  readonly follow: FollowPlan;
  /** What the user should know and is no error, also from gathering: each thing once. */
  readonly notices: readonly string[];
  /** What the plan was made from, as far as uploads and staging have to read it. */
  readonly configuration: ConfigurationData;
}

/** An application by the names that the cluster will know it by. */
export interface PlannedApplication {
  readonly name: string;
  readonly id: string;
  /** `namespace:pod`, as `kill`, `status` and `logs` take it. */
  readonly submissionId: string;
  readonly namespace: string;
  readonly driverPod: string;
  /** The container that runs Spark, among those of a template. */
  readonly driverContainer: string;
}

/** Files of the submitter's disk that go to a staging server, and where its answer goes. */
export interface StagingPlan {
  readonly files: readonly Dependency[];
  /** Where in the objects the values of the bundle go; until then, something else stands there. */
  readonly places: BundlePlaces;
  /** The server as pods reach it. */
  readonly server: string;
  /** Certificates in PEM that the server's must be signed by. */
  readonly ca: string | undefined;
}

export interface FollowPlan {
  /** Whether the configuration wants the application followed to its end. */
  readonly wait: boolean;
  /** How often to ask for the driver pod where watching it is not allowed. */
  readonly intervalMs: number;
}
