/** `String.trim` of Java: removes all characters up to U+0020 at both ends, and no others. */
export function javaTrim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return text.slice(start, end);
}

/**
 * A text with the decimal digits of all scripts as `0` to `9`, as `Integer.parseInt` and `Long.parseLong` read them
 * (`Character.digit`): only digits of the Basic Multilingual Plane.
 */
export function withAsciiDigits(text: string): string {
  // Almost every text is ASCII, and the first search for digits of all scripts takes ten times as long.
  if (/^[\0-\x7F]*$/.test(text)) return text;
  return text.replaceAll(/\p{Nd}/gu, (digit) => (digit.length > 1 ? digit : String(digitValue(digit.charCodeAt(0)))));
}

/** The digits of a script have consecutive code points, starting with zero. */
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
