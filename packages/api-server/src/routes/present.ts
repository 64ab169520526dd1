import type { JsonObject } from "@kindling/kube-objects";
import type { Page } from "../operations/list.ts";
import type { ResourceType } from "../resources/resource-type.ts";
import { type StoredObject, serialise } from "../storage/stored-object.ts";
import { tableColumns, tableRow } from "../table/table.ts";
import type { ObjectForm } from "./negotiate.ts";

/** How objects are shown to one client. */
export interface Presentation {
  readonly type: ResourceType;
  readonly form: ObjectForm;
  /** How much of each object the rows of a table contain. */
  readonly includeObject: "None" | "Metadata" | "Object";
  readonly now: () => number;
}

/** One object as JSON. */
export function presentObject(presentation: Presentation, stored: StoredObject): Buffer | string {
  switch (presentation.form) {
    case "object":
      return ownVersion(presentation.type, stored);
    case "metadata":
      return presentMetadata(stored);
    case "table":
      return presentTable(presentation, [stored], { resourceVersion: stored.object.metadata.resourceVersion }, true);
  }
}

/** A page of objects as JSON, in pieces. */
export function* presentPage(presentation: Presentation, page: Page): Generator<Buffer | string> {
  const { type, form } = presentation;
  const metadata: JsonObject = {
    resourceVersion: String(page.revision),
    // Lists of custom resources always have the token, even if it is empty.
    ...(page.continue === undefined && type.strategicPatch ? {} : { continue: page.continue ?? "" }),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
  if (form === "table") {
    yield presentTable(presentation, page.items, metadata, true);
    return;
  }
  const kind = form === "metadata" ? "PartialObjectMetadataList" : `${type.kind}List`;
  const apiVersion = form === "metadata" ? "meta.k8s.io/v1" : type.apiVersion;
  yield `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":${JSON.stringify(metadata)},"items":[`;
  let first = true;
  for (const stored of page.items) {
    if (!first) yield ",";
    first = false;
    if (form === "metadata") yield presentMetadata(stored);
    else yield* presentItem(type, stored);
  }
  yield "]}";
}

/** An object of a watch as JSON; a table repeats its columns only in the first event. */
export function presentEvent(presentation: Presentation, stored: StoredObject, first: boolean): Buffer | string {
  if (presentation.form !== "table") return presentObject(presentation, stored);
  const metadata = { resourceVersion: stored.object.metadata.resourceVersion };
  return presentTable(presentation, [stored], metadata, first);
}

// Items of built-in lists do not repeat kind and apiVersion, those of custom resources do.
function* presentItem(type: ResourceType, stored: StoredObject): Generator<Buffer | string> {
  const text = ownVersion(type, stored);
  const head = `{"kind":${JSON.stringify(type.kind)},"apiVersion":${JSON.stringify(type.apiVersion)},`;
  if (!type.strategicPatch || typeof text === "string") {
    yield text;
  } else {
    yield "{";
    yield text.subarray(Buffer.byteLength(head));
  }
}

// Custom resources are stored in one version and served in others, which differ only in the name.
function ownVersion(type: ResourceType, stored: StoredObject): Buffer | string {
  if (stored.object.apiVersion === type.apiVersion) return stored.bytes;
  return serialise({ ...stored.object, apiVersion: type.apiVersion }, stored.managed);
}

function presentMetadata(stored: StoredObject): string {
  const { metadata } = stored.object;
  return serialise({ kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata }, stored.managed);
}

function presentTable(
  { type, includeObject, now }: Presentation,
  items: readonly StoredObject[],
  metadata: JsonObject,
  withColumns: boolean,
): string {
  const columns = withColumns ? tableColumns(type.columns) : null;
  const rows = items.map((stored) => {
    const object =
      includeObject === "None"
        ? ""
        : includeObject === "Metadata"
          ? presentMetadata(stored)
          : String(ownVersion(type, stored));
    return tableRow(type.columns, stored.object, object, now());
  });
  const head = `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":${JSON.stringify(metadata)}`;
  return `${head},"columnDefinitions":${JSON.stringify(columns)},"rows":[${rows.join(",")}]}`;
}
