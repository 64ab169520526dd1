// @ts-check

/** The Node in the file: a long-term release. Later ones need `libatomic`, which most images do not have. */
export const NODE = "24.22.3";
