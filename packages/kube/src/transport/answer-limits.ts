/**
 * The limit for an object: etcd accepts one and a half megabytes of Protobuf, which is more compact, and ten in some
 * installations.
 */
export const LONGEST_OBJECT_BYTES: number = 16 * 1024 * 1024;

/** The limit for a page of a list, or for the answer to a delete of a collection: 500 objects of half a megabyte. */
export const LONGEST_PAGE_BYTES: number = 256 * 1024 * 1024;

/**
 * The limit for a Status. The Status of a refused object may quote whole fields, in the message and again in the causes. If
 * it were cut, it would not be a valid Status any more. The rest of a longer error body is ignored.
 */
export const LONGEST_ERROR_BYTES: number = 8 * 1024 * 1024;
