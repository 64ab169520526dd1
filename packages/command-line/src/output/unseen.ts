/**
 * Characters that a terminal obeys or nobody sees: control and format characters, line breaks of Unicode and halves of
 * characters, but not the line breaks and tabs that structured texts are written with.
 */
export const UNSEEN: RegExp = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
