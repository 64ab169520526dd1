/**
 * Whether one resource version was given out before another. Those of an API server are numbers that grow with each
 * change (Kubernetes API concepts, "Resource versions"); of other texts nobody can tell.
 */
export function isOlder(version: string, than: string): boolean {
  if (!isNumber(version) || !isNumber(than)) return false;
  return version.length === than.length ? version < than : version.length < than.length;
}

function isNumber(version: string): boolean {
  return /^(0|[1-9]\d*)$/.test(version);
}
