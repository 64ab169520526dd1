import { fieldValue, resourceValue } from "../../../objects/downward-api.ts";
import type { ConfigMap, Secret } from "../../../objects/core.ts";
import type { DownwardFile, KeyToPath, Pod, Volume, VolumeProjection } from "../../../objects/pod.ts";
import type { NodeCapacity, PodSources } from "../../runtime.ts";

/** A file of a volume; its path is relative to the volume. */
export interface VolumeFile {
  readonly path: string;
  readonly content: Uint8Array;
  readonly mode: number;
}

/** The files of a volume, and when they must be created again even if no object has changed. */
export interface VolumeContent {
  readonly files: readonly VolumeFile[];
  /** Milliseconds since 1970. */
  readonly renewAt: number | undefined;
}

/** What the files are made from. */
export interface ContentContext {
  readonly pod: Pod;
  readonly sources: PodSources;
  readonly capacity: NodeCapacity;
  readonly now: number;
}

/** A source of a volume lacks a key; the message is that of the kubelet's event. */
export class VolumeContentError extends Error {}

const DEFAULT_MODE = 0o644;
const TOKEN_SECONDS = 3600;
/** The part of a token's life after which it is renewed. */
const RENEW_AFTER = 0.8;

/** The files of a volume that is filled from objects; undefined if it is of another kind. @throws VolumeContentError */
export function volumeContent(volume: Volume, context: ContentContext): VolumeContent | undefined {
  const { configMap, secret, downwardAPI, projected } = volume;
  const mode = (configMap ?? secret ?? downwardAPI ?? projected)?.defaultMode ?? DEFAULT_MODE;
  if (configMap !== undefined) return content([{ configMap }], mode, context);
  if (secret !== undefined) {
    const { secretName, ...rest } = secret;
    return content([{ secret: { ...rest, ...(secretName === undefined ? {} : { name: secretName }) } }], mode, context);
  }
  if (downwardAPI !== undefined) return content([{ downwardAPI }], mode, context);
  if (projected !== undefined) return content(projected.sources ?? [], mode, context);
  return undefined;
}

/** Whether a volume is filled from an object, named as in the API: `configmaps` or `secrets`. */
export function isFilledFrom({ configMap, secret, projected }: Volume, resource: string, name: string): boolean {
  const sources = projected?.sources ?? [];
  if (resource === "configmaps")
    return [configMap, ...sources.map((one) => one.configMap)].some((one) => one?.name === name);
  if (resource !== "secrets") return false;
  return secret?.secretName === name || sources.some((one) => one.secret?.name === name);
}

function content(projections: readonly VolumeProjection[], mode: number, context: ContentContext): VolumeContent {
  const parts = projections.map((projection) => projectedContent(projection, mode, context));
  const times = parts.flatMap(({ renewAt }) => renewAt ?? []);
  return {
    files: parts.flatMap(({ files }) => files),
    renewAt: times.length === 0 ? undefined : Math.min(...times),
  };
}

function projectedContent(projection: VolumeProjection, mode: number, context: ContentContext): VolumeContent {
  const { configMap, secret, downwardAPI, serviceAccountToken } = projection;
  const { sources, now } = context;
  if (serviceAccountToken !== undefined) {
    const { audience, expirationSeconds = TOKEN_SECONDS, path } = serviceAccountToken;
    const { token } = sources.token(audience, expirationSeconds);
    const renewAt = now + expirationSeconds * 1000 * RENEW_AFTER;
    return { files: [{ path, content: Buffer.from(token), mode }], renewAt };
  }
  const files =
    configMap !== undefined
      ? keyFiles(configMapData(sources.configMap(configMap.name ?? "")), configMap.items, mode, configMap.optional)
      : secret !== undefined
        ? keyFiles(secretData(sources.secret(secret.name ?? "")), secret.items, mode, secret.optional)
        : (downwardAPI?.items ?? []).map((item) => downwardFile(item, mode, context));
  return { files, renewAt: undefined };
}

function configMapData(found: ConfigMap | undefined): Map<string, Uint8Array> {
  return new Map([
    ...Object.entries(found?.data ?? {}).map(([key, text]) => [key, Buffer.from(text)] as const),
    ...Object.entries(found?.binaryData ?? {}).map(([key, text]) => [key, Buffer.from(text, "base64")] as const),
  ]);
}

function secretData(found: Secret | undefined): Map<string, Uint8Array> {
  return new Map(Object.entries(found?.data ?? {}).map(([key, text]) => [key, Buffer.from(text, "base64")]));
}

function keyFiles(
  data: ReadonlyMap<string, Uint8Array>,
  items: readonly KeyToPath[] | undefined,
  mode: number,
  optional: boolean | undefined,
): VolumeFile[] {
  if (items === undefined || items.length === 0) {
    return [...data].map(([path, bytes]) => ({ path, content: bytes, mode }));
  }
  return items.flatMap(({ key, path, mode: own }) => {
    const bytes = data.get(key);
    if (bytes !== undefined) return [{ path, content: bytes, mode: own ?? mode }];
    if (optional === true) return [];
    throw new VolumeContentError(`references non-existent config key: ${key}`);
  });
}

function downwardFile(
  { path, fieldRef, resourceFieldRef, mode: own }: DownwardFile,
  mode: number,
  { pod, capacity }: ContentContext,
): VolumeFile {
  const containers = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])];
  const container = containers.find(({ name }) => name === resourceFieldRef?.containerName);
  const node = {
    allocatable: { cpu: capacity.cpu, memory: capacity.memory, "ephemeral-storage": capacity.ephemeralStorage },
  };
  const text =
    resourceFieldRef === undefined || container === undefined
      ? fieldValue(pod, fieldRef?.fieldPath ?? "")
      : resourceValue(container, resourceFieldRef.resource, resourceFieldRef.divisor, node);
  return { path, content: Buffer.from(text), mode: own ?? mode };
}
