/*
 * Names and values of draft-ietf-httpbis-resumable-upload, which both ends need. While it is a draft, its version may
 * change; only this file has the version.
 */

export const UPLOAD_DRAFT_INTEROP_VERSION = "8";
export const UPLOAD_DRAFT_FIELD = "upload-draft-interop-version";
export const PARTIAL_UPLOAD_MEDIA_TYPE = "application/partial-upload";

export const UPLOAD_OFFSET_FIELD = "upload-offset";
export const UPLOAD_COMPLETE_FIELD = "upload-complete";
export const UPLOAD_LENGTH_FIELD = "upload-length";
export const UPLOAD_LIMIT_FIELD = "upload-limit";
export const REPR_DIGEST_FIELD = "repr-digest";
export const CONTENT_DIGEST_FIELD = "content-digest";
