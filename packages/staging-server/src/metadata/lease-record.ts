import { isNumber, isRecord, isText, type Shape } from "./shape.ts";

/** A submitter's session: blobs that it pins cannot be deleted, blobs that it holds can be committed. */
export interface LeaseRecord {
  readonly id: string;
  readonly namespace: string;
  readonly subject: string;
  readonly ttlSeconds: number;
  /** Service seconds of its last use. */
  readonly renewedAt: number;
}

export const isLeaseRecord: Shape<LeaseRecord> = isRecord<LeaseRecord>({
  id: isText,
  namespace: isText,
  subject: isText,
  ttlSeconds: isNumber,
  renewedAt: isNumber,
});
