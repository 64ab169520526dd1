import type { Container, EnvVar, ObjectMeta, Pod, PodSpec, Volume, VolumeMount } from "@kindling/core-spec";
import { flag, list, map, open, quantity, required, text, type Shape } from "../shapes/shape.ts";

// Only those parts of a pod are checked that this package uses. The API server checks the rest.

type Source<K extends keyof Volume> = NonNullable<Volume[K]>;

export const VOLUME: Shape<Volume> = open<Volume>({
  name: required(text()),
  emptyDir: open<Source<"emptyDir">>({ medium: text(), sizeLimit: quantity() }),
  hostPath: open<Source<"hostPath">>({ path: required(text()), type: text() }),
  nfs: open<Source<"nfs">>({ path: required(text()), server: required(text()), readOnly: flag() }),
  persistentVolumeClaim: open<Source<"persistentVolumeClaim">>({ claimName: required(text()), readOnly: flag() }),
});

export const VOLUME_MOUNT: Shape<VolumeMount> = open<VolumeMount>({
  name: required(text()),
  mountPath: required(text()),
  subPath: text(),
  readOnly: flag(),
});

export const ENV_VAR: Shape<EnvVar> = open<EnvVar>({ name: required(text()), value: text() });

const CONTAINER_LISTS = {
  env: list(open<EnvVar>({})),
  envFrom: list(open<NonNullable<Container["envFrom"]>[number]>({})),
  ports: list(open<NonNullable<Container["ports"]>[number]>({})),
  volumeMounts: list(open<VolumeMount>({})),
};

export const CONTAINER: Shape<Container> = open<Container>({
  ...CONTAINER_LISTS,
  name: required(text()),
  image: text(),
});

// Spark's container may have no name in a template.
const TEMPLATE_CONTAINER = open<Container>({ ...CONTAINER_LISTS });

export const TEMPLATE: Shape<Pod> = open<Pod>({
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
