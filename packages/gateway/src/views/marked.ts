import type { KubeObject } from "@kindling/api-server";
import type { Entry } from "./entry.ts";
import { unsaved } from "./unsaved.ts";
import { GIVEN_UID, REQUEST } from "./marks.ts";

/** What is made in the cluster for an object of a view: the driver's request, with the marks by which it is known again. */
export function marked(request: KubeObject, { uid, fingerprint }: Pick<Entry, "uid" | "fingerprint">): KubeObject {
  const { status: _status, metadata, ...content } = request;
  const marks = { [GIVEN_UID]: uid, ...(fingerprint === undefined ? {} : { [REQUEST]: fingerprint }) };
  return { ...content, metadata: { ...unsaved(metadata), annotations: { ...metadata.annotations, ...marks } } };
}
