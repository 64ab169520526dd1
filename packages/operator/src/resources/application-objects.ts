import type { DriverInfo, SparkApplication } from "@kindling/spark-application";
import type { OperatorSettings } from "../flags/operator-settings.ts";
import { driverIngresses } from "./driver-ingress.ts";
import { driverPdb } from "./driver-pdb.ts";
import { withGatewayQueue } from "./gateway-queue.ts";
import { ingressUrl } from "./ingress-url.ts";
import type { OwnedObject } from "./owned-object.ts";
import { withPrometheus } from "./prometheus.ts";
import { batchScheduled } from "./schedulers/batch-scheduler.ts";
import { uiIngress, withUiPath } from "./ui-ingress.ts";
import { uiService } from "./ui-service.ts";

export interface ApplicationObjectsContext {
  readonly settings: Pick<OperatorSettings, "ui" | "batchScheduler" | "enableDriverPdb">;
  /** Of the run that the objects belong to. */
  readonly submissionId: string;
  /** The id that Spark will give the application: `spark-…`. */
  readonly sparkApplicationId: string;
}

/** An application with the objects that it needs. */
export interface ApplicationObjects {
  /** The application with the additions of all features; this one is submitted. */
  readonly application: SparkApplication;
  readonly objects: readonly OwnedObject[];
  /** The status fields about Spark's UI. Its address is known when its service exists. */
  readonly driverInfo: Pick<DriverInfo, "webUIServiceName" | "webUIPort" | "webUIIngressName" | "webUIIngressAddress">;
}

/**
 * All objects that an application needs beside its driver, and the changes to the application for them: Spark's UI,
 * metrics for Prometheus, a batch scheduler, more ports of the driver, and a budget against its eviction
 * (kubeflow/spark-operator v2.5.2, internal/controller/sparkapplication/controller.go, `submitSparkApplication` and
 * `reconcileSubmittedSparkApplication`, in this order). Objects that stock makes once, after the driver pod, have to
 * exist all the time here.
 *
 * @param application with its defaults
 * @throws PreparationError with the whole text for `errorMessage`
 */
export function applicationObjects(
  application: SparkApplication,
  context: ApplicationObjectsContext,
): ApplicationObjects {
  const { settings, submissionId, sparkApplicationId } = context;
  const ui = webUi(application, context);
  const monitored = withPrometheus(withGatewayQueue(ui.application));
  const scheduled = batchScheduled(monitored.application, settings.batchScheduler);
  const className = settings.ui.ingressClassName;
  return {
    application: scheduled.application,
    objects: [
      ...monitored.objects,
      ...scheduled.objects,
      ...ui.objects,
      ...driverIngresses(application, { submissionId, sparkApplicationId, className }),
      ...budgets(application, settings.enableDriverPdb),
    ],
    driverInfo: ui.driverInfo,
  };
}

function webUi(
  application: SparkApplication,
  { settings: { ui }, submissionId, sparkApplicationId }: ApplicationObjectsContext,
): ApplicationObjects {
  const service = ui.enableService ? uiService(application, submissionId) : undefined;
  if (service === undefined) return { application, objects: [], driverInfo: {} };
  const beside = { when: "beside-driver", atEnd: "kept" } as const;
  const owned: OwnedObject = { ...beside, failure: "failed to create web UI service", object: service };
  const webUIServiceName = service.metadata.name;
  const webUIPort = service.spec.ports?.[0]?.port;
  const format = ui.ingressUrlFormat ?? "";
  if (format === "") return { application, objects: [owned], driverInfo: { webUIServiceName, webUIPort } };
  const url = ingressUrl(
    format,
    application,
    sparkApplicationId,
    "failed to configure web UI: failed to get ingress url",
  );
  const object = uiIngress(application, submissionId, { service, url, settings: ui });
  return {
    application: withUiPath(application, url),
    objects: [owned, { ...beside, failure: "failed to create web UI ingress", object }],
    driverInfo: {
      webUIServiceName,
      webUIPort,
      webUIIngressName: object.metadata?.name,
      webUIIngressAddress: url.text,
    },
  };
}

function budgets(application: SparkApplication, isEnabled: boolean): readonly OwnedObject[] {
  if (!isEnabled || application.spec.driverPodDisruptionBudget !== true) return [];
  return [
    {
      when: "beside-driver",
      atEnd: "deleted",
      failure: "failed to ensure driver PDB: failed to create driver PDB",
      object: driverPdb(application),
    },
  ];
}
