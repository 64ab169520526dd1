import { type BundleState, type Digest, type StagedResourcesOwner } from "@kindling/staging-client";
import { isDigest } from "./manifests.ts";
import { isMapOf, isNumber, isOneOf, isOptional, isRecord, isText, type Shape } from "./shape.ts";

/** What a server keeps of a bundle, besides its files. Times are service seconds. */
export interface BundleRecord {
  readonly id: string;
  readonly wire: "v0" | "v1";
  readonly owner: StagedResourcesOwner;
  /** Uid of the object that the bundle was bound to. */
  readonly ownerUid?: string;
  readonly createdBy: string;
  /** SHA-256 of the secret, hexadecimal: the secret itself is sent once and stored nowhere. */
  readonly secretHash: string;
  readonly manifestDigest: Digest;
  readonly files: number;
  readonly bytes: number;
  /** `deleted` is set for a moment before the record itself is deleted: no server changes it any more. */
  readonly state: BundleState | "deleted";
  /** When it came into this state. */
  readonly since: number;
  readonly createdAt: number;
  /** For people, RFC 3339; no decision depends on it. */
  readonly createdTime: string;
  /** How long it may wait for its first use. */
  readonly unusedSeconds: number;
}

export const isBundleRecord: Shape<BundleRecord> = isRecord<BundleRecord>({
  id: isText,
  wire: isOneOf("v0", "v1"),
  owner: isRecord<StagedResourcesOwner>({ ownerNamespace: isText, ownerLabels: isMapOf(isText), ownerType: isText }),
  ownerUid: isOptional(isText),
  createdBy: isText,
  secretHash: (value): value is string => isText(value) && /^[0-9a-f]{64}$/.test(value),
  manifestDigest: isDigest,
  files: isNumber,
  bytes: isNumber,
  state: isOneOf("unused", "used", "orphan", "deleted"),
  since: isNumber,
  createdAt: isNumber,
  createdTime: isText,
  unusedSeconds: isNumber,
});
