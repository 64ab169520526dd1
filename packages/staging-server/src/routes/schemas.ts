/*
 * JSON schemas of the documents that clients send. They bound sizes before a document is processed. The protocol's own
 * functions check what schemas cannot express (label syntax, clashing names). Members that are not listed are ignored, so
 * that a newer client can talk to an older server.
 */

import { MOST_DIGESTS } from "../http/documents/document-kinds.ts";

export type Schema = Readonly<Record<string, unknown>>;

const digest: Schema = { type: "string", maxLength: 256 };
const bytes: Schema = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const secondsMember: Schema = { type: "integer", minimum: 1, maximum: 10 * 365 * 86_400 };
const namespace: Schema = { type: "string", maxLength: 63 };
const id: Schema = { type: "string", minLength: 1, maxLength: 128 };

function object(properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema {
  return { type: "object", properties, required };
}

export const ownerSchema: Schema = object(
  {
    ownerNamespace: namespace,
    ownerLabels: {
      type: "object",
      maxProperties: 64,
      additionalProperties: { type: "string", maxLength: 63 },
      propertyNames: { maxLength: 317 },
    },
    ownerType: { type: "string", maxLength: 63 },
  },
  ["ownerNamespace", "ownerLabels", "ownerType"],
);

export const leaseRequestSchema: Schema = object({ namespace, ttl: secondsMember }, ["namespace"]);

export const missingRequestSchema: Schema = object(
  {
    lease: id,
    digests: { type: "array", maxItems: MOST_DIGESTS, items: object({ digest, size: bytes }, ["digest", "size"]) },
  },
  ["lease", "digests"],
);

export function bundleRequestSchema(maxFiles: number): Schema {
  const file = object(
    {
      name: { type: "string", maxLength: 1024 },
      kind: { type: "string", minLength: 1, maxLength: 63, pattern: "^[A-Za-z][A-Za-z0-9]*$" },
      digest,
      size: bytes,
      mode: { type: "integer", minimum: 0, maximum: 0o777 },
    },
    ["name", "kind", "digest", "size", "mode"],
  );
  return object(
    { lease: id, owner: ownerSchema, ttl: secondsMember, files: { type: "array", maxItems: maxFiles, items: file } },
    ["lease", "owner", "files"],
  );
}

/**
 * All values of a query are texts. A limit above what the server lists at once is allowed: the answer says where to
 * continue.
 */
export const bundleQuerySchema: Schema = object(
  { namespace, limit: { type: "string", pattern: "^[1-9][0-9]{0,8}$" }, continue: { type: "string", maxLength: 128 } },
  [],
);

export const ownerBindingSchema: Schema = object({ uid: { type: "string", pattern: "^[A-Za-z0-9-]{1,128}$" } }, [
  "uid",
]);
export const damageReportSchema: Schema = object({ name: { type: "string", maxLength: 1024 } }, ["name"]);
export const collectRequestSchema: Schema = object({ dryRun: { type: "boolean" } }, []);
export const accessRequestSchema: Schema = object({ namespace }, ["namespace"]);
