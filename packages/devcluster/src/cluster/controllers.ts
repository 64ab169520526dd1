import type { Controller, ControllerContext } from "../controllers/controller.ts";
import { CustomResourceController } from "../controllers/custom-resources.ts";
import { DisruptionBudgetController } from "../controllers/disruption-budgets.ts";
import { EndpointSliceController } from "../controllers/endpoint-slices.ts";
import { GarbageCollector } from "../controllers/garbage-collector.ts";
import { NamespaceController } from "../controllers/namespaces.ts";
import { NodeLifecycleController } from "../controllers/node-lifecycle.ts";
import { ResourceQuotaController } from "../controllers/resource-quotas.ts";
import { VolumeController } from "../controllers/volumes.ts";
import { DeploymentController } from "../controllers/workloads/deployments.ts";
import { JobController } from "../controllers/workloads/jobs.ts";
import { ReplicaSetController } from "../controllers/workloads/replica-sets.ts";
import { StatefulSetController } from "../controllers/workloads/stateful-sets.ts";
import { Scheduler } from "../scheduler/scheduler.ts";

export interface ControllerOptions {
  /** The certificate of the cluster's CA, for the pods. */
  readonly certificate: string;
  readonly volumeFolder: string;
}

/** All controllers of a cluster, including the scheduler. */
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
    new JobController(context),
    new DisruptionBudgetController(context),
    new NodeLifecycleController(context),
    new Scheduler(context),
  ];
}
