/** What spark-submit calls an application that is no file: its code is already on the class path. */
export const NO_RESOURCE = "spark-internal";

/** The scheme of a URI in lower case; `undefined` for a plain path. */
export function schemeOf(uri: string): string | undefined {
  return /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(uri)?.[1]?.toLowerCase();
}

/** Whether a URI names a file of the machine that submits (KubernetesUtils.isLocalAndResolvable). */
export function isSubmitterLocal(uri: string): boolean {
  if (uri === NO_RESOURCE) return false;
  const scheme = schemeOf(uri);
  return scheme === undefined || scheme === "file";
}

/** Splits `location#fragment`. */
export function splitFragment(uri: string): { readonly location: string; readonly fragment: string | undefined } {
  const hash = uri.indexOf("#");
  return hash < 0
    ? { location: uri, fragment: undefined }
    : { location: uri.slice(0, hash), fragment: uri.slice(hash + 1) };
}

/** The last element of a URI's path. */
export function baseName(uri: string): string {
  return uri.split("/").findLast((element) => element !== "") ?? "";
}
