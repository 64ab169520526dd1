export { DevCluster } from "./cluster/dev-cluster.ts";
export type { Certificate } from "@kindling/x509";
export type { DevClusterOptions, NodeOptions } from "./cluster/options.ts";
export { ApiFaults, type FaultRequest, type FaultScope } from "./faults/api-faults.ts";
export { PodFaults, type PodName } from "./faults/pod-faults.ts";
export { HollowRuntime, type HollowOptions } from "./runtime/hollow/hollow-runtime.ts";
export { annotationScript, type ContainerScript, DEFAULT_SCRIPT, type Script } from "./runtime/hollow/script.ts";
export type { ProcessRuntimeOptions } from "./runtime/process/options.ts";
export type { ImageFile, ImageMount, ImageSource, ProcessImage } from "./runtime/process/process-image.ts";
export { ProcessRuntime } from "./runtime/process/process-runtime.ts";
export type { LogLine, LogQuery } from "./runtime/logs.ts";
export {
  type ContainerExit,
  type ContainerRequest,
  ContainerStartError,
  ImagePullError,
  type NodeCapacity,
  PodStartError,
  type PodSources,
  type PulledImage,
  type RunningContainer,
  type Runtime,
  type Sandbox,
  type SandboxRequest,
} from "./runtime/runtime.ts";
