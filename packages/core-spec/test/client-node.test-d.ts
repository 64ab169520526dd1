// Pods pass to and from @kubernetes/client-node: this file only has to compile.
import type { V1Container, V1ObjectMeta, V1Pod, V1PodSpec } from "@kubernetes/client-node";
import type { Container, ObjectMeta, Pod, PodSpec } from "../src/index.ts";

export const toContainer = (container: Container): V1Container => container;
export const fromContainer = (container: V1Container): Container => container;
export const toMeta = (metadata: ObjectMeta): V1ObjectMeta => metadata;
export const fromMeta = (metadata: V1ObjectMeta): ObjectMeta => metadata;
export const toSpec = (spec: PodSpec & { containers: Container[] }): V1PodSpec => spec;
export const fromSpec = (spec: V1PodSpec): PodSpec => spec;
export const fromPod = ({ metadata = {}, spec = { containers: [] } }: V1Pod): Pod => ({ metadata, spec });
export const toPod = ({ metadata, spec }: Required<Pod> & { spec: { containers: Container[] } }): V1Pod => ({
  metadata,
  spec,
});
