import type { DriverIngressConfiguration, SparkApplication } from "@kindling/spark-application";
import { driverService } from "./driver-service.ts";
import { firstOf } from "./first-of.ts";
import { ingress } from "./ingress.ts";
import { ingressUrl } from "./ingress-url.ts";
import { driverIngressName, driverServiceName } from "./object-names.ts";
import type { OwnedObject } from "./owned-object.ts";
import { PreparationError } from "./preparation-error.ts";

const SERVICE_FAILURE = "failed to create driver ingress service for SparkApplication";

export interface DriverIngressContext {
  readonly submissionId: string;
  readonly sparkApplicationId: string;
  /** The class of ingresses. */
  readonly className: string | undefined;
}

/**
 * A service, and an ingress if it has a URL, for each further port of the driver (kubeflow/spark-operator v2.5.2,
 * internal/controller/sparkapplication/driveringress.go). An entry's own annotations and TLS come first (stock from
 * 38082f33 on); if it has none, those of sparkUIOptions are used, as in v2.5.2.
 *
 * @throws PreparationError for an entry that stock tries again and again while the driver runs
 */
export function driverIngresses(application: SparkApplication, context: DriverIngressContext): readonly OwnedObject[] {
  const entries = application.spec.driverIngressOptions ?? [];
  return entries.flatMap((entry) => driverIngress(application, entry, context));
}

function driverIngress(
  application: SparkApplication,
  entry: DriverIngressConfiguration,
  { submissionId, sparkApplicationId, className }: DriverIngressContext,
): readonly OwnedObject[] {
  const { metadata, spec } = application;
  const { servicePort: port, servicePortName, ingressURLFormat = "" } = entry;
  if (port === undefined)
    throw new PreparationError(
      `${SERVICE_FAILURE}: service port is nil on driver ingress configuration`,
      "give each entry of driverIngressOptions a servicePort",
    );
  const service = driverService(application, submissionId, {
    name: driverServiceName(metadata.name, port),
    portName: servicePortName ?? `driver-ing-${port}`,
    port,
    targetPort: port,
    options: entry,
  });
  const beside = { when: "beside-driver", atEnd: "kept" } as const;
  const owned: OwnedObject = { ...beside, failure: SERVICE_FAILURE, object: service };
  if (ingressURLFormat === "") return [owned];
  const url = ingressUrl(ingressURLFormat, application, sparkApplicationId, "failed to get driver ingress url");
  const { ingressTLS: ownTls = [] } = entry;
  const { ingressAnnotations, ingressTLS: uiTls = [] } = spec.sparkUIOptions ?? {};
  const object = ingress(application, submissionId, {
    name: driverIngressName(metadata.name, port),
    service,
    url,
    className,
    annotations: firstOf(entry.ingressAnnotations, ingressAnnotations),
    tls: ownTls.length > 0 ? ownTls : uiTls,
  });
  return [owned, { ...beside, failure: "failed to create driver ingress", object }];
}
