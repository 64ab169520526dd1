import type { Provenance } from "@kindling/core-spec";
import type { BundlePlaces, Dependency, DriverObjects } from "@kindling/steps";
import type { ConfigurationData } from "./plan-input.ts";
import type { Upload } from "./uploads.ts";

/** Everything that a submission will do, as plain data: files to stage or copy, objects to create, a pod to follow. */
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
  /** Notices for the user, also from gathering: each one once. */
  readonly notices: readonly string[];
  /** The input of the plan, as far as uploads and staging have to read it. */
  readonly configuration: ConfigurationData;
}

/** An application by the names that it will have in the cluster. */
export interface PlannedApplication {
  readonly name: string;
  readonly id: string;
  /** `namespace:pod`, as `kill`, `status` and `logs` accept it. */
  readonly submissionId: string;
  readonly namespace: string;
  readonly driverPod: string;
  /** The container that runs Spark, among those of a template. */
  readonly driverContainer: string;
}

/** Files of the submitter's disk that go to a staging server, and where the server's answer goes in the objects. */
export interface StagingPlan {
  readonly files: readonly Dependency[];
  /** Where in the objects the values of the bundle go; until then, placeholders are there. */
  readonly places: BundlePlaces;
  /** The server's address for pods. */
  readonly server: string;
  /** CA certificates in PEM for the server. */
  readonly ca: string | undefined;
}

export interface FollowPlan {
  /** Whether the configuration says to follow the application to its end. */
  readonly wait: boolean;
  /** How often to ask for the driver pod if this user may not watch it. */
  readonly intervalMs: number;
}
