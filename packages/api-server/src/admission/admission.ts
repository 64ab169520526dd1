import type { KubeObject } from "@kindling/kube-objects";
import type { User } from "../authentication/user.ts";
import type { ResourceType } from "../resources/resource-type.ts";

/** A write on its way to the store. */
export interface AdmissionRequest {
  readonly operation: "create" | "update" | "delete";
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly name: string;
  /** The object to be stored; admission may still change it. Absent for deletions. */
  readonly object: KubeObject | undefined;
  readonly current: KubeObject | undefined;
  readonly subresource: string;
  readonly user: User;
  readonly dryRun: boolean;
}

/** A rule over writes that looks beyond the object itself. */
export interface AdmissionPlugin {
  /** May change the object, or throw an ApiError. */
  readonly admit?: (request: AdmissionRequest) => void;
  /** Runs when the object is complete and valid; may only throw an ApiError. */
  readonly validate?: (request: AdmissionRequest) => void;
}
