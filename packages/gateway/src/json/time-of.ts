/** Reads a time as Kubernetes writes it, in milliseconds since the epoch; undefined if the text is not a time. */
export function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? undefined : time;
}
