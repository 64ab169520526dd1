/**
 * Characters that control a terminal or are invisible: control and format characters, Unicode line breaks and halves of
 * characters. Line breaks and tabs are excluded, because structured texts contain them.
 */
export const UNSEEN: RegExp = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
