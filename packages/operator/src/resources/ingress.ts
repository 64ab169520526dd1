import type { Service } from "@kindling/core-spec";
import type { Ingress, IngressTLS } from "kubernetes-types/networking/v1.js";
import type { SparkApplication } from "@kindling/spark-application";
import { CREATED, ownerReference, runLabels } from "./owned-object.ts";
import type { ParsedUrl } from "./parse-url.ts";

export interface IngressParts {
  readonly name: string;
  readonly service: Service;
  readonly url: ParsedUrl;
  readonly className: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  readonly tls: readonly IngressTLS[];
}

const REWRITE_TARGET = "nginx.ingress.kubernetes.io/rewrite-target";

/**
 * An ingress that routes a URL to a service of the driver (kubeflow/spark-operator v2.5.2,
 * internal/controller/sparkapplication/driveringress.go, `createDriverIngressV1`). If the URL has a path, the driver gets
 * only the part after it. API servers without networking.k8s.io/v1 (before 1.19) are not served.
 */
export function ingress(
  application: SparkApplication,
  submissionId: string,
  { name, service, url, className, annotations, tls }: IngressParts,
): Ingress {
  const { namespace } = application.metadata;
  const isBelowPath = url.path !== "" && url.path !== "/";
  const path = isBelowPath ? `${url.path}(/|$)(.*)` : url.path;
  const all = { ...annotations, ...(isBelowPath && { [REWRITE_TARGET]: "/$2" }) };
  const { port = 0 } = service.spec.ports?.[0] ?? {};
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: {
      name,
      namespace,
      labels: { ...runLabels(application, submissionId), ...CREATED },
      ...(Object.keys(all).length > 0 && { annotations: all }),
      ownerReferences: [ownerReference(application)],
    },
    spec: {
      ...(className !== undefined && className !== "" && { ingressClassName: className }),
      ...(tls.length > 0 && { tls: [...tls] }),
      rules: [
        {
          ...(url.host !== "" && { host: url.host }),
          http: {
            paths: [
              {
                ...(path !== "" && { path }),
                pathType: "ImplementationSpecific",
                backend: { service: { name: service.metadata.name, port: { number: port } } },
              },
            ],
          },
        },
      ],
    },
  };
}
