/** `String.trim` of Java: takes away everything up to U+0020 at both ends, and nothing beyond it. */
export function javaTrim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return text.slice(start, end);
}

/** `String.split` of Java: without the empty pieces at the end, unless the whole text is empty. */
export function javaSplit(text: string, separator: string): string[] {
  const pieces = text.split(separator);
  if (text === "") return pieces;
  return pieces.slice(0, pieces.findLastIndex((piece) => piece !== "") + 1);
}
