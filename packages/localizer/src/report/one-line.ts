/** A text without control characters: those of others' messages and file names must not make lines or move a cursor. */
export function oneLine(text: string): string {
  return text.trimEnd().replaceAll(/[\0-\x1f\x7f-\x9f]/g, "?");
}
