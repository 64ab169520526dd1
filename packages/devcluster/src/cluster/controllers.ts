import { Scheduler } from "../scheduler/scheduler.ts";
import type { Controller, ControllerContext } from "./controller.ts";
import { CustomResourceController } from "./custom-resources.ts";
import { DisruptionBudgetController } from "./disruption-budgets.ts";
import { EndpointSliceController } from "./endpoint-slices.ts";
import { GarbageCollector } from "./garbage-collector.ts";
import { NamespaceController } from "./namespaces.ts";
import { NodeLifecycleController } from "./node-lifecycle.ts";
import { ResourceQuotaController } from "./resource-quotas.ts";
import { VolumeController } from "./volumes.ts";
import { DeploymentController } from "./workloads/deployments.ts";
import { ReplicaSetController } from "./workloads/replica-sets.ts";
import { StatefulSetController } from "./workloads/stateful-sets.ts";

export interface ControllerOptions {
  /** The certificate of the cluster's authority, for the pods. */
  readonly certificate: string;
  readonly volumeFolder: string;
}

/** All controllers of a cluster, the scheduler among them. */
export function controllers(context: ControllerContext, options: ControllerOptions): Controller[] {
  return [
    new NamespaceController(context, options.certificate),
    new CustomResourceController(context),
    new GarbageCollector(context),
    new ResourceQuotaController(context),
    new EndpointSliceController(context),
    new VolumeController(context, { folder: options.volumeFolder }),
    new ReplicaSetController(context),
    new DeploymentController(context),
    new StatefulSetController(context),
    new DisruptionBudgetController(context),
    new NodeLifecycleController(context),
    new Scheduler(context),
  ];
}
