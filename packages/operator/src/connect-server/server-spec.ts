import { createHash } from "node:crypto";
import type { SparkConnect } from "@kindling/spark-application";
import { canonicalJson } from "../application-states/canonical-json.ts";

/** The value of the annotation of a server's pod: the generation of the spec that it was made for, and a hash of that spec. */
export function serverSpecMark({ metadata, spec }: SparkConnect): string {
  // A change of the service needs no other server.
  const { service: _service, ...server } = spec.server;
  const hash = createHash("sha256")
    .update(canonicalJson({ ...spec, server }))
    .digest("hex");
  return `${metadata.generation}-${hash.slice(0, 16)}`;
}

/**
 * Whether a pod was made for another spec: the generation and the hash both differ. A change back to the former spec
 * changes only the generation; a new version of this program may change only the hash.
 */
export function isOtherSpec(mark: string, connect: SparkConnect): boolean {
  const [generation, hash] = mark.split("-");
  const [wantedGeneration, wantedHash] = serverSpecMark(connect).split("-");
  return generation !== wantedGeneration && hash !== wantedHash;
}
