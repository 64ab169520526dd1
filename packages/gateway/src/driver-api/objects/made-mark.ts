import { isObject, type KubeObject } from "@kindling/kube-objects";

/** On driver pods: which ConfigMaps and sets the gateway has made for the driver, and how many bytes each has. */
export const MADE = "gateway.kindling/made";

/** The bytes of objects by what they are called: `configmaps/<name>`. */
export type MadeSizes = ReadonlyMap<string, number>;

/** What the mark of a driver pod says. One of another pod, whose annotations were taken over, says nothing. */
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
