import { isRecord } from "../plain-data.ts";
import { comparedText } from "./compared-value.ts";
import type { Path, Power } from "./power.ts";
import type { JudgedPod } from "./rules.ts";
import { isOwnClaim, OWN_VOLUMES } from "./volume-rules.ts";

interface SharedVolume {
  readonly index: number;
  readonly volume: Readonly<Record<string, unknown>>;
  /** The same text for volumes with the same content. */
  readonly source: string;
  readonly isReadOnly: boolean;
}

interface Mount {
  readonly path: Path;
  readonly mount: Readonly<Record<string, unknown>>;
}

/**
 * What a pod's containers do with volumes that others use as well: they read them or write to them, as a whole or only one
 * folder. The volumes themselves are judged like other fields.
 */
export function mountPowers(spec: unknown, pod: JudgedPod): Power[] {
  const shared = new Map(sharedVolumes(spec, pod));
  if (shared.size === 0) return [];
  return mountsOf(spec).flatMap(({ path, mount }) => {
    const volume = shared.get(mount["name"]);
    return volume === undefined ? [] : [mountPower(path, mount, volume)];
  });
}

/** What an allowance permits for volumes if it does not say how they are mounted. */
export function unmountedGives(spec: unknown, pod: JudgedPod): string[] {
  const mounted = new Set(mountsOf(spec).map(({ mount }) => mount["name"]));
  const free = sharedVolumes(spec, pod).filter(([name]) => !mounted.has(name));
  return free.flatMap(([, { source }]) => [`write ${source}:`, `read ${source}:`]);
}

function mountPower(path: Path, mount: Mount["mount"], { index, volume, source, isReadOnly }: SharedVolume): Power {
  const { name, readOnly, subPath, subPathExpr } = mount;
  const onlyReads = isReadOnly || readOnly === true;
  const folders = foldersOf(subPath ?? subPathExpr).map((folder) => `${source}:${folder}`);
  const own = folders.slice(0, 1);
  return {
    path,
    words: onlyReads ? "reading the volume" : "writing to the volume",
    needs: folders.map((folder) => `${onlyReads ? "read" : "write"} ${folder}`),
    gives: own.flatMap((folder) => (onlyReads ? [`read ${folder}`] : [`read ${folder}`, `write ${folder}`])),
    allowing: [
      { path: ["spec", "volumes", index], value: volume },
      {
        path,
        value: {
          name,
          ...(onlyReads && { readOnly: true }),
          ...(subPath !== undefined && { subPath }),
          ...(subPathExpr !== undefined && { subPathExpr }),
        },
      },
    ],
  };
}

/** The folder itself, then the folders around it, and last the volume, with an empty name. */
function foldersOf(subPath: unknown): string[] {
  if (typeof subPath !== "string") return [""];
  const parts = subPath.split("/").filter((part) => part !== "" && part !== ".");
  return [...parts.map((_, index) => parts.slice(0, parts.length - index).join("/")), ""];
}

function sharedVolumes(spec: unknown, pod: JudgedPod): (readonly [name: unknown, SharedVolume])[] {
  return listIn(spec, "volumes").flatMap(({ value: volume, index }) => {
    const { name, ...source } = volume;
    const [kind = ""] = Object.keys(source);
    const content = source[kind];
    const details = isRecord(content) ? content : {};
    if (OWN_VOLUMES.has(kind) || (kind === "persistentVolumeClaim" && isOwnClaim(details["claimName"], pod))) return [];
    const { readOnly, ...rest } = details;
    const text = comparedText({ ...source, [kind]: rest }, "spec.volumes[]");
    return [[name, { index, volume, source: text, isReadOnly: readOnly === true }] as const];
  });
}

function mountsOf(spec: unknown): Mount[] {
  return ["initContainers", "containers"].flatMap((list) =>
    listIn(spec, list).flatMap(({ value: container, index }) =>
      ["volumeMounts", "volumeDevices"].flatMap((field) =>
        listIn(container, field).map((mount) => ({
          path: ["spec", list, index, field, mount.index],
          mount: mount.value,
        })),
      ),
    ),
  );
}

function listIn(value: unknown, field: string): { value: Readonly<Record<string, unknown>>; index: number }[] {
  const found = isRecord(value) ? value[field] : undefined;
  if (!Array.isArray(found)) return [];
  return found.flatMap((item: unknown, index) => (isRecord(item) ? [{ value: item, index }] : []));
}
