const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.(\d+))?(?:Z|[+-]\d{2}:\d{2})$/;

/** A point in time in the form of Kubernetes' `Time`: UTC, whole seconds. */
export function formatTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/** A point in time in the form of Kubernetes' `MicroTime`: UTC, six decimals. */
export function formatMicroTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 23)}000Z`;
}

/** Reads an RFC 3339 time and returns it in the server's form; `undefined` if the text is not one. */
export function canonicalTime(text: string, micro: boolean): string | undefined {
  const match = RFC3339.exec(text);
  if (match === null || (micro && match[1]?.length !== 6)) return undefined;
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) return undefined;
  if (!micro) return formatTime(milliseconds);
  return `${new Date(milliseconds).toISOString().slice(0, 19)}.${match[1] ?? ""}Z`;
}
