/** Headers that cannot be decoded. Nothing after them can be, because both sides must have the same table. */
export class HpackError extends Error {
  override readonly name = "HpackError";
}
