/** A trust store that cannot be read. Its message is a part of a sentence, without the file's name. */
export class TrustStoreError extends Error {}
