import { isObject, type KubeObject } from "@kindling/kube-objects";

/** On driver pods: which ConfigMaps and sets the gateway has created for the driver, and how many bytes each of them has. */
export const MADE = "gateway.kindling/made";

/** The sizes of objects in bytes, by `configmaps/<name>`. */
export type MadeSizes = ReadonlyMap<string, number>;

/** Reads the mark of a driver pod. A mark of another pod, from which the annotations were copied, is ignored. */
export function readMade({ metadata: { uid, annotations } }: KubeObject): MadeSizes {
  const text = annotations?.[MADE];
  const mark = text === undefined ? undefined : parsed(text);
  if (!isObject(mark) || mark["driver"] !== uid || !isObject(mark["objects"])) return new Map();
  const sizes = Object.entries(mark["objects"]).flatMap(([key, bytes]) =>
    typeof bytes === "number" && bytes >= 0 ? [[key, bytes] as const] : [],
  );
  return new Map(sizes);
}

/** The mark as a text. */
export function writeMade(driverUid: string, sizes: MadeSizes): string {
  return JSON.stringify({ driver: driverUid, objects: Object.fromEntries(sizes) });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
