import type { Container, EnvVar, ObjectMeta, Pod, PodSpec, Volume, VolumeMount } from "@kindling/core-spec";
import type {
  DriverSpec,
  ExecutorSpec,
  GpuSpec,
  NameKey,
  NamePath,
  Port,
  SecretInfo,
  SparkPodSpec,
} from "../pod-spec.ts";
import { fields, flag, list, map, open, quantity, required, text, whole, type MembersOf, type Shape } from "./shape.ts";

// Only those parts of a pod are checked that this package uses. The API server checks the rest.

type Source<K extends keyof Volume> = NonNullable<Volume[K]>;

export const VOLUME: Shape<Volume> = open<Volume>({
  name: required(text()),
  emptyDir: open<Source<"emptyDir">>({ medium: text(), sizeLimit: quantity() }),
  hostPath: open<Source<"hostPath">>({ path: required(text()), type: text() }),
  nfs: open<Source<"nfs">>({ path: required(text()), server: required(text()), readOnly: flag() }),
  persistentVolumeClaim: open<Source<"persistentVolumeClaim">>({ claimName: required(text()), readOnly: flag() }),
});

const VOLUME_MOUNT = open<VolumeMount>({
  name: required(text()),
  mountPath: required(text()),
  subPath: text(),
  readOnly: flag(),
});

const ENV_VAR = open<EnvVar>({ name: required(text()), value: text() });

const CONTAINER_LISTS = {
  env: list(open<EnvVar>({})),
  envFrom: list(open<NonNullable<Container["envFrom"]>[number]>({})),
  ports: list(open<NonNullable<Container["ports"]>[number]>({})),
  volumeMounts: list(open<VolumeMount>({})),
};

const CONTAINER = open<Container>({ ...CONTAINER_LISTS, name: required(text()), image: text() });

// Spark's container may have no name in a template.
const TEMPLATE_CONTAINER = open<Container>({ ...CONTAINER_LISTS });

const TEMPLATE = open<Pod>({
  metadata: open<ObjectMeta>({
    labels: map(text()),
    annotations: map(text()),
    ownerReferences: list(open<NonNullable<ObjectMeta["ownerReferences"]>[number]>({})),
  }),
  spec: open<PodSpec>({
    containers: list(TEMPLATE_CONTAINER),
    initContainers: list(TEMPLATE_CONTAINER),
    volumes: list(open<Volume>({})),
    tolerations: list(open<NonNullable<PodSpec["tolerations"]>[number]>({})),
    imagePullSecrets: list(open<NonNullable<PodSpec["imagePullSecrets"]>[number]>({})),
    hostAliases: list(open<NonNullable<PodSpec["hostAliases"]>[number]>({})),
    nodeSelector: map(text()),
  }),
});

const POD: MembersOf<SparkPodSpec> = {
  template: TEMPLATE,
  cores: whole(32, { minimum: 1 }),
  coreRequest: text(),
  coreLimit: text(),
  memory: text(),
  memoryOverhead: text(),
  memoryLimit: text(),
  gpu: fields<GpuSpec>({ name: required(text()), quantity: required(whole(64)) }),
  image: text(),
  configMaps: list(fields<NamePath>({ name: required(text()), path: required(text()) })),
  secrets: list(fields<SecretInfo>({ name: required(text()), path: required(text()), secretType: required(text()) })),
  env: list(ENV_VAR),
  envVars: map(text()),
  envFrom: list(open<NonNullable<SparkPodSpec["envFrom"]>[number]>({})),
  envSecretKeyRefs: map(fields<NameKey>({ name: required(text()), key: required(text()) })),
  labels: map(text()),
  annotations: map(text()),
  volumeMounts: list(VOLUME_MOUNT),
  affinity: open<NonNullable<SparkPodSpec["affinity"]>>({}),
  tolerations: list(open<NonNullable<SparkPodSpec["tolerations"]>[number]>({})),
  podSecurityContext: open<NonNullable<SparkPodSpec["podSecurityContext"]>>({}),
  securityContext: open<NonNullable<SparkPodSpec["securityContext"]>>({}),
  schedulerName: text(),
  sidecars: list(CONTAINER),
  initContainers: list(CONTAINER),
  hostNetwork: flag(),
  nodeSelector: map(text()),
  dnsConfig: open<NonNullable<SparkPodSpec["dnsConfig"]>>({}),
  terminationGracePeriodSeconds: whole(64),
  serviceAccount: text(),
  hostAliases: list(
    open<NonNullable<SparkPodSpec["hostAliases"]>[number]>({ ip: required(text()), hostnames: list(text()) }),
  ),
  shareProcessNamespace: flag(),
  javaOptions: text(),
  lifecycle: open<NonNullable<SparkPodSpec["lifecycle"]>>({}),
  ports: list(fields<Port>({ name: required(text()), protocol: required(text()), containerPort: required(whole(32)) })),
  priorityClassName: text(),
};

export const DRIVER: Shape<DriverSpec> = fields<DriverSpec>({
  ...POD,
  podName: text(),
  kubernetesMaster: text(),
  serviceAnnotations: map(text()),
  serviceLabels: map(text()),
});

export const EXECUTOR: Shape<ExecutorSpec> = fields<ExecutorSpec>({
  ...POD,
  instances: whole(32, { minimum: 1 }),
  deleteOnTermination: flag(),
});
