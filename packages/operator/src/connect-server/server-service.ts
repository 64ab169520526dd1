import type { ConfigMap, Service } from "@kindling/core-spec";
import type { SparkConnect } from "@kindling/spark-application";
import { commonLabels, connectOwner, serverLabels, serverServiceName, templateMapName } from "./connect-names.ts";
import { TEMPLATE_FILE } from "./server-arguments.ts";
import { PORTS, serverPorts } from "./server-ports.ts";

/**
 * The service of a server (kubeflow/spark-operator 38082f33, `mutateServerService`): what the object gives, with these
 * ports. Stock sets ports and selector only once, so that after a change of `sparkVersion` the service finds no pod.
 */
export function serverService(connect: SparkConnect): Service {
  const { service } = connect.spec.server;
  const { connect: grpc, ui } = serverPorts(connect);
  const { labels, annotations, finalizers } = service?.metadata ?? {};
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: serverServiceName(connect),
      namespace: connect.metadata.namespace,
      labels: { ...labels, ...commonLabels(connect) },
      ...(annotations !== undefined && { annotations }),
      ...(finalizers !== undefined && { finalizers }),
      ownerReferences: [connectOwner(connect)],
    },
    spec: {
      ...service?.spec,
      ports: [
        { name: "driver-rpc", port: PORTS.driver, targetPort: PORTS.driver, protocol: "TCP", appProtocol: "tcp" },
        {
          name: "blockmanager",
          ...{ port: PORTS.blockManager, targetPort: PORTS.blockManager, protocol: "TCP", appProtocol: "tcp" },
        },
        { name: "web-ui", port: PORTS.ui, targetPort: ui, protocol: "TCP", appProtocol: "http" },
        { name: "spark-connect-server", port: PORTS.connect, targetPort: grpc, protocol: "TCP", appProtocol: "grpc" },
      ],
      selector: { ...service?.spec?.selector, ...serverLabels(connect) },
    },
  };
}

/** The ConfigMap with the executors' pod template. JSON is YAML too; without a template it has `null`, as in stock. */
export function templateMap(connect: SparkConnect): ConfigMap {
  const { template = null } = connect.spec.executor;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: templateMapName(connect),
      namespace: connect.metadata.namespace,
      labels: commonLabels(connect),
      ownerReferences: [connectOwner(connect)],
    },
    data: { [TEMPLATE_FILE]: `${JSON.stringify(template, undefined, 2)}\n` },
  };
}
