/** An object: etcd takes one and a half megabytes of the more compact Protobuf, and some installations ten. */
export const LONGEST_OBJECT_BYTES: number = 16 * 1024 * 1024;

/** A page of a list, or what a delete of a collection has deleted: 500 objects of half a megabyte. */
export const LONGEST_PAGE_BYTES: number = 256 * 1024 * 1024;

/** A Status, with as many causes as anyone reads; more of an error's body is not looked at. */
export const LONGEST_ERROR_BYTES: number = 64 * 1024;
