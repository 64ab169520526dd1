import type { Container, ContainerPort, EnvVar, Pod, Volume } from "@kindling/core-spec";
import type { SparkConnect } from "@kindling/spark-application";
import type { Probe } from "kubernetes-types/core/v1.js";
import { DRIVER_CONTAINER, SPEC_ANNOTATION } from "../pods/spark-names.ts";
import { connectOwner, serverLabels, serverPodName, templateMapName } from "./connect-names.ts";
import { serverCommand, TEMPLATE_FILE, TEMPLATE_PATH } from "./server-arguments.ts";
import { PORTS, serverPorts, type ServerPorts } from "./server-ports.ts";
import { serverSpecMark } from "./server-spec.ts";
import { sparkContainerAt } from "../pods/template-container.ts";

/** The volume with the executors' pod template. */
const VOLUME = "spark-conf";

/**
 * The pod of a server (kubeflow/spark-operator 38082f33, internal/controller/sparkconnect/reconciler.go, `mutateServerPod`).
 * In addition it has the annotation for {@link serverSpecMark}, and its container names its ports.
 *
 * @param master the API server as the pod reaches it
 */
export function serverPod(
  connect: SparkConnect,
  master: string,
): Pod & { readonly metadata: { readonly name: string } } {
  const { metadata, spec } = connect;
  const { template } = spec.server;
  const given = template?.spec?.containers ?? [];
  const containers: readonly Container[] = given.length === 0 ? [{ name: DRIVER_CONTAINER }] : given;
  const at = sparkContainerAt(containers, DRIVER_CONTAINER);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: serverPodName(connect),
      namespace: metadata.namespace,
      labels: { ...template?.metadata?.labels, ...serverLabels(connect) },
      annotations: { ...template?.metadata?.annotations, [SPEC_ANNOTATION]: serverSpecMark(connect) },
      ownerReferences: [connectOwner(connect)],
    },
    spec: {
      ...template?.spec,
      containers: containers.map((container, index) =>
        index === at ? serverContainer(container, connect, master) : container,
      ),
      volumes: [...(template?.spec?.volumes ?? []), templateVolume(connect)],
    },
  };
}

function serverContainer(container: Container, connect: SparkConnect, master: string): Container {
  const { image } = connect.spec;
  const ports = serverPorts(connect);
  const hasImage = container.image !== undefined && container.image !== "";
  return {
    ...container,
    ...(!hasImage && image !== undefined && { image }),
    command: ["bash", "-c"],
    args: [serverCommand(connect, master)],
    startupProbe: container.startupProbe ?? startupProbe(ports),
    readinessProbe: container.readinessProbe ?? readinessProbe(ports),
    env: [...(container.env ?? []), ...ENV],
    ports: [...(container.ports ?? []), ...missingPorts(container.ports ?? [], ports)],
    volumeMounts: [
      ...(container.volumeMounts ?? []),
      { name: VOLUME, subPath: TEMPLATE_FILE, mountPath: TEMPLATE_PATH, readOnly: true },
    ],
    lifecycle: { preStop: { exec: { command: ["bash", "-c", "${SPARK_HOME}/sbin/stop-connect-server.sh"] } } },
  };
}

const ENV: readonly EnvVar[] = [
  { name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
  { name: "SPARK_NO_DAEMONIZE", value: "true" },
];

function startupProbe({ connect }: ServerPorts): Probe {
  return {
    tcpSocket: { port: connect },
    ...{ initialDelaySeconds: 5, periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 30 },
  };
}

function readinessProbe({ connect }: ServerPorts): Probe {
  return { tcpSocket: { port: connect }, ...{ periodSeconds: 10, timeoutSeconds: 1, failureThreshold: 3 } };
}

/** The ports by Spark's own names (BasicDriverFeatureStep.scala), as far as the template has none of that number or name. */
function missingPorts(given: readonly ContainerPort[], { connect, ui }: ServerPorts): ContainerPort[] {
  return [
    { name: "driver-rpc-port", containerPort: PORTS.driver },
    { name: "blockmanager", containerPort: PORTS.blockManager },
    { name: "spark-ui", containerPort: ui },
    { name: "spark-connect", containerPort: connect },
  ]
    .filter(({ name, containerPort }) => given.every((one) => one.name !== name && one.containerPort !== containerPort))
    .map((port) => ({ ...port, protocol: "TCP" }));
}

function templateVolume(connect: SparkConnect): Volume {
  return {
    name: VOLUME,
    configMap: { name: templateMapName(connect), items: [{ key: TEMPLATE_FILE, path: TEMPLATE_FILE }] },
  };
}
