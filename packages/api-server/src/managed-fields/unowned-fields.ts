/** Fields of an object's root and of its metadata that nobody owns: identity, and what the server keeps itself. */
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
