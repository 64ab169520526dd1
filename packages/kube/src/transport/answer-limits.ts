/** An object: etcd takes one and a half megabytes of the more compact Protobuf, and some installations ten. */
export const LONGEST_OBJECT_BYTES: number = 16 * 1024 * 1024;

/** A page of a list, or what a delete of a collection has deleted: 500 objects of half a megabyte. */
export const LONGEST_PAGE_BYTES: number = 256 * 1024 * 1024;

/**
 * A Status. That of an object that is refused may quote its fields whole, in the message and again in the causes, and what
 * is cut is no Status any more. More of an error's body is not looked at.
 */
export const LONGEST_ERROR_BYTES: number = 8 * 1024 * 1024;
