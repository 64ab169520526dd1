/** `String.trim` of Java: takes away everything up to U+0020 at both ends, and nothing beyond it. */
export function javaTrim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return text.slice(start, end);
}

/**
 * A text with the decimal digits of all scripts as `0` to `9`, as `Integer.parseInt` and `Long.parseLong` read them
 * (`Character.digit`): those of the Basic Multilingual Plane.
 */
export function withAsciiDigits(text: string): string {
  // Almost every text is ASCII, and to look for digits of all scripts takes ten times as long at the first number.
  if (/^[\0-\x7F]*$/.test(text)) return text;
  return text.replaceAll(/\p{Nd}/gu, (digit) => (digit.length > 1 ? digit : String(digitValue(digit.charCodeAt(0)))));
}

/** The digits of a script stand in a row, from zero on. */
function digitValue(code: number): number {
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCharCode(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}

/** `String.split` of Java: without the empty pieces at the end, unless the whole text is empty. */
export function javaSplit(text: string, separator: string): string[] {
  const pieces = text.split(separator);
  if (text === "") return pieces;
  return pieces.slice(0, pieces.findLastIndex((piece) => piece !== "") + 1);
}
