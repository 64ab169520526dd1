/** Fields of an object's root and of its metadata that nobody owns: its identity, and fields that the server itself sets. */
export const UNOWNED: readonly string[] = ["apiVersion", "kind"];
export const UNOWNED_METADATA: readonly string[] = [
  "name",
  "namespace",
  "creationTimestamp",
  "selfLink",
  "uid",
  "generation",
  "managedFields",
  "resourceVersion",
];
