import type { Service } from "@kindling/core-spec";
import type { Ingress } from "kubernetes-types/networking/v1.js";
import type { SparkApplication } from "@kindling/spark-application";
import type { UiSettings } from "../flags/operator-settings.ts";
import { withSparkConf } from "./changed-application.ts";
import { firstOf } from "./first-of.ts";
import { ingress } from "./ingress.ts";
import { uiIngressName } from "./object-names.ts";
import type { ParsedUrl } from "./parse-url.ts";

/**
 * Tells Spark the path of its UI, unless the user has set it (kubeflow/spark-operator v2.5.2,
 * internal/controller/sparkapplication/web_ui.go). Stock does this before the application id is known, so `{{$appId}}`
 * stays empty there. Here the id is known before.
 */
export function withUiPath(application: SparkApplication, { path }: ParsedUrl): SparkApplication {
  if (path === "") return application;
  return withSparkConf(application, {
    "spark.ui.proxyBase": path,
    "spark.ui.proxyRedirectUri": "/",
    ...application.spec.sparkConf,
  });
}

/** The ingress of Spark's UI. Annotations and TLS of the application replace the operator's. */
export function uiIngress(
  application: SparkApplication,
  submissionId: string,
  { service, url, settings }: { readonly service: Service; readonly url: ParsedUrl; readonly settings: UiSettings },
): Ingress {
  const { ingressAnnotations, ingressTLS = [] } = application.spec.sparkUIOptions ?? {};
  return ingress(application, submissionId, {
    name: uiIngressName(application.metadata.name),
    service,
    url,
    className: settings.ingressClassName,
    annotations: firstOf(ingressAnnotations, settings.ingressAnnotations),
    tls: ingressTLS.length > 0 ? ingressTLS : settings.ingressTls,
  });
}
